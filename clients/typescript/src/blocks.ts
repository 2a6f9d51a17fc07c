import type { Blocks, Values } from './operation.ts'

const BLOCK_SIZE = 20

type CallBlock = (parameters: Values) => Promise<unknown>

/** The items of a list, block after block; the next block is read when its first item is wanted. */
export async function* eachItem(blocks: Blocks, parameters: Values, call: CallBlock): AsyncGenerator<unknown> {
  const { first, last, items } = blocks
  const blockSize = Number(parameters.blockSize ?? BLOCK_SIZE)
  for (let blockNum = first; blockNum <= last; blockNum++) {
    const answer = await call({ ...parameters, blockSize, blockNum })
    const block = (items === undefined ? answer : (answer as Values)[items]) as readonly unknown[]
    yield* block
    if (block.length < blockSize) return
  }
}
