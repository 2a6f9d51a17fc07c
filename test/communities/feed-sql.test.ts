// The SQL of the feed is generated (communities/feed-lists.ts). The text for each order, without the condition on a sport, is stored
// here in a file, laid out for reading and with a comment for each step; `vitest -u` updates the files.

import { expect, test } from 'vitest'
import {
  feedsBySample,
  feedsByWindow,
  feedsByWindowPending,
  feedsPerAuthor,
  feedsPerAuthorPending,
} from '../../src/communities/feed-lists.ts'
import type { Statement } from '../../src/platform/database/database.ts'

const STEPS: Record<string, string> = {
  work: 'The pending outcomes, with their result and start time from the catalogue.',
  newest_per_author: 'Of each followed author, the comment number :depth after the cursor.',
  cutoff: 'The last of the best :authors of these: nothing below it can be in the block.',
  own_last: 'Of each author who reaches the cutoff, the author’s own comment number :reach, if there is one.',
  lower_bound: 'Nothing of an author below this is needed.',
  candidates: 'The comments between lower bound and cursor.',
  sampled: 'The comments of every :sample-th followed author.',
  bound: 'Number :rank of these.',
  above: 'The comments of all followed authors from the bound on.',
  ties: 'Comments equal to the cursor in the first key, in everybody’s list; of these, those of followed authors.',
  others: 'The rest of everybody’s list, unless the ties filled the block or the window.',
  found: 'Comments of followed authors within the window.',
  page: 'The block.',
}

const statements: Statement<never, unknown>[] = [
  feedsPerAuthor,
  feedsPerAuthorPending,
  feedsBySample,
  feedsByWindow.lookup,
  feedsByWindow.set,
  feedsByWindowPending.set,
].flatMap((variants) => Object.values(variants).map(({ all }) => all))

test.each(statements)('$name', async ({ name, sql, parameterNames }) => {
  const named = sql.replaceAll('( ', '(').replace(/\$(\d+)/g, (_, number) => `:${parameterNames[Number(number) - 1]}`)
  await expect(laidOut(named)).toMatchFileSnapshot(`./feed-sql/${name}.sql`)
})

/** One clause a line, indented by its depth in parentheses, each step of `with` after its comment. */
function laidOut(sql: string): string {
  const parts = sql.split(
    /(?<=\()(?=select )|(?<=\)) (?=select )|(?<=^with )|(?<=\), )(?=\w+ as )|\s(?=(?:from|where|order by|limit|union all|left join|cross join|and not exists)\b)|(?<=union all) (?=select)/,
  )
  let depth = 0
  const lines: string[] = []
  for (const part of parts) {
    const step = depth === 0 ? /^(\w+) as (?:materialized )?\(/.exec(part)?.[1] : undefined
    if (step !== undefined) lines.push('', `-- ${step}: ${explanationOf(step)}`)
    if (depth === 0 && part.startsWith('select')) lines.push('', '-- The rows of the block.')
    lines.push(`${'  '.repeat(depth)}${part.trim()}`)
    depth += part.split('(').length - part.split(')').length
  }
  return `${lines.join('\n').trim()}\n`
}

function explanationOf(step: string): string {
  const explanation = STEPS[step]
  if (explanation === undefined) throw new Error(`explain the step ${step} in STEPS`)
  return explanation
}
