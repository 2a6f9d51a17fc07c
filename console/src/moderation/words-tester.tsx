import { useEffect, useState } from 'react'
import type { WordsTest, WordsTestBody } from '../../../src/operator/api-types.ts'
import { asRefusal, type Refusal } from '../api/api.ts'
import { Badge } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { Field, SelectField } from '../parts/fields.tsx'
import { Problem } from '../parts/problem.tsx'
import { useSession } from '../sign-in/session.tsx'
import styles from './words-tester.module.css'

type Lists = { blocked: string[]; allowed: string[] }
type As = WordsTestBody['as']

const WAIT_MS = 300
const KINDS: { value: As; label: string }[] = [
  { value: 'tip', label: 'tip' },
  { value: 'name', label: 'profile name' },
  { value: 'biography', label: 'biography' },
]
const RULES = {
  word: 'the word itself',
  inside: 'inside a longer word',
  phrase: 'a phrase',
  cut: 'cut in pieces',
  hidden: 'with letters struck out',
}

/** `unsaved`: the lists as they are edited, if they differ from the stored ones. */
export function WordsTester({ unsaved }: { unsaved: Lists | null }) {
  const [text, setText] = useState('')
  const [as, setAs] = useState<As>('tip')
  const { result, refusal } = useTested(text, as, unsaved)
  return (
    <section className={`panel ${styles.wordsTester}`} aria-label="Try a text">
      <h2>Try a text</h2>
      <p className="hint">
        What the rules say of it, as you type. {unsaved !== null && 'Your unsaved changes are used. '}Nothing is stored.
      </p>
      <div className="inline">
        <SelectField label="As" value={as} onChange={setAs} options={KINDS} />
      </div>
      <Field label="Text">
        {(ids) => (
          <textarea
            {...ids}
            rows={3}
            maxLength={2000}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {refusal && <Problem refusal={refusal} />}
      <div role="status">{text !== '' && result !== undefined && <Result result={result} />}</div>
    </section>
  )
}

/** Waits until nobody types, and shows the answer to the newest question only. */
function useTested(text: string, as: As, unsaved: Lists | null) {
  const { api } = useSession()
  const [result, setResult] = useState<WordsTest>()
  const [refusal, setRefusal] = useState<Refusal>()
  const lists = unsaved === null ? '' : JSON.stringify(unsaved)
  useEffect(() => {
    if (text === '') return
    let isLatest = true
    const timer = setTimeout(async () => {
      const body: WordsTestBody = { text, as, ...(lists === '' ? {} : JSON.parse(lists)) }
      try {
        const answer = await api('testWords', { body })
        if (!isLatest) return
        setResult(answer)
        setRefusal(undefined)
      } catch (error) {
        if (isLatest) setRefusal(asRefusal(error))
      }
    }, WAIT_MS)
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [api, text, as, lists])
  return { result, refusal }
}

function Result({ result: { text, fault, solution, matches } }: { result: WordsTest }) {
  return (
    <div className={styles.wordsResult}>
      <p>
        {fault === null ? (
          <Badge look="good">accepted</Badge>
        ) : (
          <>
            <Badge look="bad">refused</Badge> <strong>{fault.code}</strong> {fault.meaning}
          </>
        )}
      </p>
      <Highlighted text={text} matches={matches} />
      {solution !== null && (
        <p>
          <span className="quiet">Suggested instead:</span> <span className={styles.wordsText}>{solution}</span>
        </p>
      )}
      {matches.length > 0 && <Matches text={text} matches={matches} />}
    </div>
  )
}

function Matches({ text, matches }: Pick<WordsTest, 'text' | 'matches'>) {
  const points = Array.from(text)
  return (
    <DataTable
      label="Words found"
      columns={['Found', 'Word', 'List', 'How', 'Effect']}
      rows={matches.map(({ from, to, word, list, rule, isAllowed }) => ({
        key: `${from} ${to} ${list}`,
        cells: [
          points.slice(from, to).join(''),
          word,
          list,
          RULES[rule],
          isAllowed ? (
            <Badge key="effect">part of an allowed word</Badge>
          ) : (
            <Badge key="effect" look="bad">
              refused
            </Badge>
          ),
        ],
      }))}
    />
  )
}

/** Positions are in code points. Overlapping words are marked as one. */
function Highlighted({ text, matches }: Pick<WordsTest, 'text' | 'matches'>) {
  const points = Array.from(text)
  const isMarked = points.map((_, at) => matches.some((one) => !one.isAllowed && one.from <= at && at < one.to))
  const runs: { from: number; text: string; marked: boolean }[] = []
  for (const [at, point] of points.entries()) {
    const last = runs.at(-1)
    const marked = isMarked[at] === true
    if (last?.marked === marked) last.text += point
    else runs.push({ from: at, text: point, marked })
  }
  return (
    <p className={styles.wordsText}>
      {runs.map((run) =>
        run.marked ? <mark key={run.from}>{run.text}</mark> : <span key={run.from}>{run.text}</span>,
      )}
    </p>
  )
}
