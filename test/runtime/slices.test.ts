import { expect, test } from 'vitest'
import { slices } from '../../src/platform/runtime/slices.ts'

test('requests are served between any two slices, however much work is under way', async () => {
  let turn = 0
  let isOver = false
  const count = (): void => {
    turn++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const turns: number[] = []
  async function work(): Promise<void> {
    const pause = slices(0)
    for (let slice = 0; slice < 3; slice++) {
      await pause()
      turns.push(turn)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  isOver = true
  expect(turns).toHaveLength(12)
  expect(new Set(turns).size).toBe(12)
})
