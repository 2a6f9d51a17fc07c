/** From 0 to 99, in no visible order, and the same at every start. */
export function draw(luck: number, nth: number, purpose: number): number {
  let mixed = (luck * 7919 + nth * 104_729 + purpose * 1_299_709) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b) >>> 0
  return ((mixed ^ (mixed >>> 16)) >>> 0) % 100
}
