// Ported from the old shop. Nobody dares to touch the line endings.
var total = 0;
function add(price) {
  total = total + price;
}
var revision = 1;
module.exports = { add: add };