import { expect, test } from "vitest";
import { isHorizontalSpace, isSpace, trimSpace } from "../../../src/engine/text/whitespace.ts";

const SPACES = [
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004,
  0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
];

test("white space is these code points and no others", () => {
  const found: number[] = [];
  for (let unit = 0; unit <= 0xffff; unit++) if (isSpace(unit)) found.push(unit);
  expect(found).toEqual(SPACES);
});

test("horizontal space is white space that ends no line", () => {
  const breaks = [0x0a, 0x0b, 0x0c, 0x0d, 0x85, 0x2028, 0x2029];
  const found: number[] = [];
  for (let unit = 0; unit <= 0xffff; unit++) if (isHorizontalSpace(unit)) found.push(unit);
  expect(found).toEqual(SPACES.filter((unit) => !breaks.includes(unit)));
});

test("a byte order mark is no white space, and NEL is", () => {
  expect(trimSpace("\ufeff\u0085 a\u0085")).toBe("\ufeff\u0085 a");
});
