// What the cards of the sandbox do. A card's number does not show it, so that the screen has to.

export type TestCard = {
  readonly id: number
  readonly username: string
  readonly shows: string
  readonly code: string | null
  /** Whether the bank challenges the customer (3-D Secure). Absent: it cannot. */
  readonly challenges?: boolean
  /** What it shows is what becomes of money that goes back to it. Deposits are paid at once. */
  readonly takes?: 'withdrawals' | 'refunds'
}

export const TEST_CARDS: readonly TestCard[] = [
  { id: 101, username: 'alice', shows: 'Paid at once', code: null },
  { id: 102, username: 'alice', shows: 'Paid after two seconds', code: null },
  { id: 111, username: 'alice', shows: 'The bank asks you to confirm', code: null, challenges: true },
  { id: 112, username: 'alice', shows: 'Could ask you, but does not', code: null, challenges: false },
  { id: 113, username: 'alice', shows: 'Confirmed too late', code: null, challenges: true },
  { id: 201, username: 'bob', shows: 'Paid at once', code: null },
  { id: 202, username: 'bob', shows: 'Declined by the bank', code: '24005' },
  { id: 203, username: 'bob', shows: 'Not enough money', code: '24007' },
  { id: 204, username: 'bob', shows: 'Unknown card number', code: '24006' },
  { id: 205, username: 'bob', shows: 'Expired', code: '24010' },
  { id: 206, username: 'bob', shows: 'Wrong security code', code: '24009' },
  { id: 211, username: 'bob', shows: 'Withdrawals take their time', code: null, takes: 'withdrawals' },
  { id: 212, username: 'bob', shows: 'Withdrawals come back', code: null, takes: 'withdrawals' },
  { id: 213, username: 'bob', shows: 'Withdrawals are not taken', code: null, takes: 'withdrawals' },
  { id: 214, username: 'bob', shows: 'Withdrawals: the answer gets lost', code: null, takes: 'withdrawals' },
  { id: 215, username: 'bob', shows: 'Withdrawals: the bank never answers', code: null, takes: 'withdrawals' },
  { id: 216, username: 'bob', shows: 'Withdrawals wait for funds', code: null, takes: 'withdrawals' },
  { id: 217, username: 'bob', shows: 'Withdrawals: the account is closed', code: null, takes: 'withdrawals' },
  { id: 218, username: 'bob', shows: 'Withdrawals: deposits cannot be returned', code: null, takes: 'withdrawals' },
  { id: 301, username: 'carol', shows: 'Paid at once', code: null },
  { id: 302, username: 'carol', shows: 'The bank never answers', code: '24005' },
  { id: 303, username: 'carol', shows: 'Held, but the answer gets lost', code: '24005' },
  { id: 304, username: 'carol', shows: 'The bank fails', code: '24005' },
  { id: 305, username: 'carol', shows: 'Held, then the bank fails', code: '24005' },
  { id: 306, username: 'carol', shows: 'Paid, then refused: manual review', code: null },
  { id: 311, username: 'carol', shows: 'Refunds take their time', code: null, takes: 'refunds' },
  { id: 312, username: 'carol', shows: 'Refunds are not taken', code: null, takes: 'refunds' },
  { id: 313, username: 'carol', shows: 'Refunds: the answer gets lost', code: null, takes: 'refunds' },
]

export const testCard = (id: number): TestCard | undefined => TEST_CARDS.find((card) => card.id === id)

/** Names the operation too: "Paid at once" is true of deposits only. */
export function testCardName(id: number): string | undefined {
  const card = testCard(id)
  if (card === undefined || card.takes !== undefined) return card?.shows
  return `Deposits: ${card.shows.charAt(0).toLowerCase()}${card.shows.slice(1)}`
}
