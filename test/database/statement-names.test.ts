import { expect, test } from 'vitest'
import { reading } from '../../src/platform/database/database.ts'

test('two statements cannot have one name: PostgreSQL would run the first for both', () => {
  const one = () => reading('namedOnce')`select 1 as one`
  one()
  expect(one).not.toThrow()
  expect(() => reading('namedOnce')`select 2 as two`).toThrow('Two statements have the name namedOnce.')
})
