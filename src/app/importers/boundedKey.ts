/** A name within a bound, and still another one for another text: what is cut off is told by its length and a sum. */
export function boundedKey(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text;
  let [sum, other] = [0, 1];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    sum = Math.imul(sum ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ (other >>> 15), 0x85ebca6b) + unit;
  }
  const rest = [text.length, sum >>> 0, other >>> 0].map((part) => part.toString(36)).join("-");
  return `${text.slice(0, unitsMax - rest.length - 1)}~${rest}`;
}
