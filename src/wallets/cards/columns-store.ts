// The columns by which the cards of a customer are distinguished, for lists of money.

/** As the card is registered now. An erasure makes its digits zeros. */
export type CardRow = { last_four: string; scheme: string; expiry_date: string }

/** The last four digits of a card `m`. */
export const LAST_FOUR = 'substr(m.card_number, length(m.card_number) - 3)'

export const METHOD = 'payment_method m where m.id = payment_method_id'

/** `source`: what follows `from`, with the card as `m`. */
export function cardColumns(source: string): string {
  const of = (column: string) => `(select ${column} from ${source})`
  return `${of(LAST_FOUR)} as last_four, ${of('m.scheme')} as scheme, ${of('m.expiry_date')} as expiry_date`
}
