import type { Operation, Values } from './operation.ts'

const BLOCK_SIZE = 20

type CallBlock = (parameters: Values) => Promise<unknown>

/** The items of all blocks. The next block is read when its first item is wanted. */
export interface List<T> extends AsyncGenerator<T, void> {
  /** The first `limit` items, or all if there are fewer. */
  toArray(options: { readonly limit: number }): Promise<T[]>
}

export function listOf(operation: Operation, parameters: Values, call: CallBlock): List<unknown> {
  const items = eachItem(operation, parameters, call)
  return Object.assign(items, {
    async toArray({ limit }: { readonly limit: number }): Promise<unknown[]> {
      const found: unknown[] = []
      if (limit < 1) return found
      for await (const item of items) if (found.push(item) >= limit) break
      return found
    },
  })
}

async function* eachItem(
  { from0, items }: Operation,
  parameters: Values,
  call: CallBlock,
): AsyncGenerator<unknown, void> {
  const blockSize = Number(parameters.blockSize ?? BLOCK_SIZE)
  const [first, last] = from0 ? [0, Infinity] : [1, 100]
  for (let blockNum = first; blockNum <= last; blockNum++) {
    const answer = await call({ ...parameters, blockSize, blockNum })
    const block = (items === undefined ? answer : (answer as Values)[items]) as readonly unknown[]
    yield* block
    if (block.length < blockSize) return
  }
}
