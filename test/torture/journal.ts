// What the clients sent and were answered, and the kills, in order: a violation is printed with what led to it.

type Entry = { readonly at: number; readonly customer: number | null; readonly text: string }

const SHOWN = 25
/** Kills after the last entry may be the cause too. */
const SHOWN_AFTER_MS = 2_000

export type Journal = ReturnType<typeof newJournal>

export function newJournal() {
  const entries: Entry[] = []
  const counts = new Map<string, number>()
  let answered = 0
  return {
    counts,
    /** How many operations there are beside deposits, which have entries without an answer too. */
    answered: () => answered,
    /** `kind` is counted, `detail` names what it is about as violations do: "withdrawal 12", a payment's id, a reference. */
    note(kind: string, customer: number | string | null, detail: string): void {
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      if (!kind.startsWith('deposit')) answered++
      entries.push({
        at: Date.now(),
        customer: customer === null ? null : Number(customer),
        text: `${kind}: ${detail}`,
      })
    },
    /** The last entries about what a violation is about, and the kills since the first of these. */
    leadingTo(violation: string): string[] {
      const isAbout = aboutOf(violation)
      const own = new Set(entries.filter((entry) => isAbout(entry)).slice(-SHOWN))
      const first = entries.findIndex((entry) => own.has(entry))
      if (first === -1) return []
      const until = (entries.findLast((entry) => own.has(entry)) as Entry).at + SHOWN_AFTER_MS
      return entries
        .slice(first)
        .filter((entry) => own.has(entry) || (entry.customer === null && entry.at < until))
        .map(({ at, text }) => `${new Date(at).toISOString().slice(11, 23)} ${text}`)
    },
  }
}

/** A violation begins with what it is about, and a colon. */
function aboutOf(violation: string): (entry: Entry) => boolean {
  const about = violation.split(':')[0] as string
  const customer = /^customer ([0-9]+)/.exec(about)?.[1]
  if (customer !== undefined) return (entry) => entry.customer === Number(customer)
  const name = new RegExp(`(?<![\\w-])${about.replace(/[^\w -]/g, '.')}(?![\\w-])`)
  return ({ text }) => name.test(text)
}
