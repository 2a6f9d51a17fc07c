import { useId, useState } from 'react'
import { useAction } from '../../../web/action.ts'
import { useLoad } from '../../../web/load.ts'
import { useAmount } from '../amounts.ts'
import type { Limit, Limits } from '../answers.ts'
import { AmountField } from '../parts/amount-field.tsx'
import { Form } from '../parts/form.tsx'
import { LoadView, ProblemPanel, Skeletons } from '../parts/states.tsx'
import { useSession } from '../session.tsx'

const PERIODS = ['day', 'week', 'month'] as const
type Period = (typeof PERIODS)[number]

export default function PlaySafely() {
  const { paddock } = useSession()
  const limits = useLoad('limits', () => paddock.getMyLimits())
  return (
    <>
      <h1>Play safely</h1>
      <p className="lead">
        Limit what you deposit, or take a break. A lower limit counts at once; a higher one waits 24 hours, and you
        confirm it then.
      </p>
      <LoadView loaded={limits} skeleton={<Skeletons shape="row" count={3} />}>
        {(answer) =>
          PERIODS.map((period) => (
            <LimitForm
              key={period}
              period={period}
              limit={answer.limits.find((one) => one.period === period)}
              show={limits.show}
            />
          ))
        }
      </LoadView>
      <Break />
    </>
  )
}

const shown = (date: Date) => date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

type LimitProps = { period: Period; limit: Limit | undefined; show(limits: Limits): void }

function LimitForm({ period, limit, show }: LimitProps) {
  const { paddock } = useSession()
  const id = useId()
  const amount = useAmount(limit?.amount ?? '', { min: '0.01' })
  const set = useAction(async () => show(await paddock.setMyLimit({ period, amount: amount.text.trim() })))
  const remove = useAction(async () => show(await paddock.removeMyLimit({ period })))
  const confirm = useAction(async () => show(await paddock.confirmMyLimit({ period })))
  const error = set.error ?? remove.error ?? confirm.error
  return (
    <section aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Each {period}</h2>
      <p>
        {limit === undefined
          ? 'You have set no limit.'
          : `£${limit.amount}: £${limit.used} used, £${limit.left} left until ${shown(limit.resets)} (UTC).`}
      </p>
      {limit?.pending !== undefined && <PendingLimit pending={limit.pending} confirm={confirm.run} />}
      <Form run={() => amount.check() && set.run()} isChecked={false}>
        <AmountField label={`Limit for each ${period}, in pounds`} amount={amount} />
        <button type="submit" className="primary" aria-disabled={set.isBusy}>
          Set the limit of the {period}
        </button>
        {limit !== undefined && (
          <button type="button" aria-disabled={remove.isBusy} onClick={() => remove.run()}>
            Remove it
          </button>
        )}
      </Form>
      {error !== undefined && <ProblemPanel error={error} />}
    </section>
  )
}

type Pending = NonNullable<Limit['pending']>

function PendingLimit({ pending: { amount, notBefore, lapses }, confirm }: { pending: Pending; confirm(): void }) {
  const wanted = amount === undefined ? 'No limit' : `£${amount}`
  const isReady = notBefore.getTime() <= Date.now()
  return (
    <p role="status">
      {wanted}: {isReady ? 'confirm it' : `you can confirm it from ${shown(notBefore)}`}, until {shown(lapses)} (UTC).{' '}
      {isReady && (
        <button type="button" onClick={confirm}>
          Confirm
        </button>
      )}
    </p>
  )
}

const BREAKS = [
  ['24 hours', 'hours', 24],
  ['1 week', 'hours', 7 * 24],
  ['6 weeks', 'hours', 6 * 7 * 24],
  ['6 months', 'months', 6],
  ['1 year', 'months', 12],
  ['5 years', 'months', 60],
] as const

function Break() {
  const { paddock } = useSession()
  const id = useId()
  const [chosen, setChosen] = useState(0)
  const [isSure, setSure] = useState(false)
  const [until, setUntil] = useState<Date>()
  const { run, error, isBusy } = useAction(async () => {
    const [, unit, count] = BREAKS[chosen] ?? BREAKS[0]
    const answer =
      unit === 'hours' ? await paddock.takeTimeOut({ hours: count }) : await paddock.excludeMyself({ months: count })
    setUntil(answer.excludedUntil)
  })
  if (until !== undefined) {
    return <p role="status">You are logged out until {shown(until)} (UTC). Nobody can shorten this. Your tips stay.</p>
  }
  return (
    <section aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Take a break</h2>
      <p>
        A time-out ends by itself. A self-exclusion of 6 months or more goes on after its end, until you ask us to
        return. You cannot log in or deposit meanwhile, and nobody can shorten it.
      </p>
      <Form run={run} isChecked={false}>
        <div className="field">
          <label htmlFor={`${id}-length`}>How long</label>
          <select id={`${id}-length`} value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
            {BREAKS.map(([label, unit], index) => (
              <option key={label} value={index}>
                {unit === 'hours' ? 'Time-out' : 'Self-exclusion'}: {label}
              </option>
            ))}
          </select>
        </div>
        <label className="choice">
          <input type="checkbox" checked={isSure} onChange={(event) => setSure(event.target.checked)} />I know that this
          cannot be undone
        </label>
        <button type="submit" className="primary" disabled={!isSure} aria-disabled={isBusy}>
          Log me out until then
        </button>
        {error !== undefined && <ProblemPanel error={error} />}
      </Form>
    </section>
  )
}
