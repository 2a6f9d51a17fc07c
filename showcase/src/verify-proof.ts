// Checks in the browser that the log of tips contains a line: from the hash of the line along its path to the root of the signed
// checkpoint (RFC 6962).

type Proof = { readonly index: number; readonly leaf: string; readonly path: string }
type Bytes = Uint8Array<ArrayBuffer>

const LEAF = 0
const NODE = 1

/** undefined: this browser computes no hashes here, because the page came without TLS. */
export async function leadsToRoot(
  { index, leaf, path }: Proof,
  { size, root }: { readonly size: number; readonly root: string },
): Promise<boolean | undefined> {
  if (globalThis.crypto?.subtle === undefined) return undefined
  const siblings = path.split(' ').filter((one) => one !== '')
  const sides = sidesOf(index, size)
  if (index >= size || sides.length !== siblings.length) return false
  let own = await hashOf([LEAF], new TextEncoder().encode(leaf))
  for (const [level, text] of siblings.entries()) {
    const sibling = bytesOf(text)
    own = sides[level] === 'right' ? await hashOf([NODE], own, sibling) : await hashOf([NODE], sibling, own)
  }
  return own.join() === bytesOf(root).join()
}

/** On which side the sibling is, from the line up. A tree is split at the largest power of two below its size. */
function sidesOf(index: number, size: number): ('left' | 'right')[] {
  const sides: ('left' | 'right')[] = []
  let [from, to] = [0, size]
  while (to - from > 1) {
    let left = 1
    while (left * 2 < to - from) left *= 2
    const isLeft = index < from + left
    sides.unshift(isLeft ? 'right' : 'left')
    if (isLeft) to = from + left
    else from += left
  }
  return sides
}

async function hashOf(prefix: readonly number[], ...parts: readonly Bytes[]): Promise<Bytes> {
  const all = [...prefix, ...parts.flatMap((part) => [...part])]
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(all)))
}

function bytesOf(base64: string): Bytes {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
