import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog } from '../../src/platform/observability/log.ts'

const LINE = { id: 'x', listener: 'public', operation: 'getProfile', status: 200, fault: '', ms: 1 }

function collected(batchSize: number) {
  const batches: string[] = []
  const log = createLog('info', (lines) => batches.push(lines.toString()), batchSize)
  return {
    log,
    batches,
    lines: () =>
      batches
        .join('')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
  }
}

test('lines are complete and in order, whatever wrote them and whatever they contain', () => {
  const { log, lines } = collected(400)
  for (let turn = 0; turn < 50; turn++) {
    log.request({ ...LINE, application: turn % 2 === 0 ? 'plain-key' : 'clé "🏇"' })
    log.info({ turn }, 'é€🏇')
  }
  log.flush()
  const written = lines()
  expect(written).toHaveLength(100)
  expect(written.filter(({ application }) => application === 'clé "🏇"')).toHaveLength(25)
  expect(written.flatMap(({ turn, msg }) => (turn === undefined ? [] : [`${turn} ${msg}`]))).toEqual(
    Array.from({ length: 50 }, (_, turn) => `${turn} é€🏇`),
  )
})

test('a batch has complete lines; a line longer than a batch is written alone', () => {
  const { log, batches, lines } = collected(400)
  for (let turn = 0; turn < 20; turn++) log.request({ ...LINE, application: 'key' })
  log.info('x'.repeat(1_000))
  log.flush()
  expect(batches.every((batch) => batch.endsWith('\n'))).toBe(true)
  expect(batches.filter((batch) => batch.length > 400)).toHaveLength(1)
  expect(batches.length).toBeLessThan(15)
  expect(lines()).toHaveLength(21)
})

test('no line is written twice, and no empty batch is written', () => {
  const { log, batches } = collected(1_000)
  log.flush()
  log.request({ ...LINE, application: 'key' })
  log.flush()
  log.flush()
  expect(batches).toHaveLength(1)
})

test.each([
  [0, 0],
  [0.004, 0],
  [0.049, 0.05],
  [1, 1],
  [9.999, 10],
  [12.405, 12.41],
  [30_000.1, 30_000.1],
])('%d ms are logged as %d, in both kinds of line', (ms, logged) => {
  const { log, lines } = collected(2_000)
  log.request({ ...LINE, application: 'key', ms })
  log.request({ ...LINE, application: 'key', ms }, new Error('broken'))
  log.flush()
  expect(lines().map((line) => line.ms)).toEqual([logged, logged])
})

test('each line has the time at which it was written', async () => {
  const { log, lines } = collected(2_000)
  // The lines of one turn share its time.
  await nextTurn()
  const before = Date.now()
  log.request({ ...LINE, application: 'key' })
  await new Promise((resolve) => setTimeout(resolve, 5))
  const between = Date.now()
  log.request({ ...LINE, application: 'key' })
  log.flush()
  const [first, second] = lines().map(({ time }) => time)
  expect(first).toBeGreaterThanOrEqual(before)
  expect(first).toBeLessThan(between)
  expect(second).toBeGreaterThanOrEqual(between)
})
