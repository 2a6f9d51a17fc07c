// Customers of the sandbox whose records differ: one wins steadily, one was lucky with few tips, one loses, and one withdraws
// the losers. Their tips are spread over the weeks before the first start; results are drawn from fixed numbers.

import type { Fraction } from '../../record/figures.ts'

export type Tipster = {
  readonly customerId: number
  /** Another number draws other results. */
  readonly luck: number
  readonly profile: { readonly name: string; readonly biography: string }
  readonly tips: number
  /** Tips are spread over so many days, up to yesterday. */
  readonly days: number
  readonly sportId: keyof typeof FIXTURES
  readonly prices: readonly Fraction[]
  /** Of a hundred tips. */
  readonly winners: number
  /** Of a hundred losers. */
  readonly withdrawn: number
}

export const SANDBOX_TIPSTERS: readonly Tipster[] = [
  {
    customerId: 101,
    luck: 140,
    profile: { name: 'Uma Underround', biography: 'One point, about evens, most days. Nothing else works.' },
    tips: 150,
    days: 75,
    sportId: 10,
    prices: [price(4, 5), price(10, 11), price(1, 1), price(11, 10), price(6, 5)],
    winners: 60,
    withdrawn: 0,
  },
  {
    customerId: 102,
    luck: 107,
    profile: { name: 'Vic Voucher', biography: 'Just started. Five winners already!' },
    tips: 8,
    days: 6,
    sportId: 21,
    prices: [price(9, 2), price(7, 1), price(12, 1)],
    winners: 60,
    withdrawn: 0,
  },
  {
    customerId: 103,
    luck: 103,
    profile: { name: 'Walter Whipround', biography: 'Due a good run.' },
    tips: 120,
    days: 60,
    sportId: 21,
    prices: [price(5, 2), price(4, 1), price(8, 1), price(16, 1)],
    winners: 12,
    withdrawn: 0,
  },
  {
    customerId: 104,
    luck: 104,
    profile: { name: 'Xenia X-Ray', biography: 'See for yourself: nothing but winners on my page.' },
    tips: 100,
    days: 50,
    sportId: 30,
    prices: [price(6, 4), price(2, 1), price(13, 5)],
    winners: 30,
    withdrawn: 80,
  },
]

export const FIXTURES = {
  10: { event: 'League match', market: 'Match result', names: ['Home', 'Away'] },
  21: { event: 'Handicap hurdle', market: 'To win', names: ['Copper Lane', 'The field'] },
  30: { event: 'Qualifying round', market: 'To win', names: ['First seed', 'Challenger'] },
} as const

export const TIP_TEXTS = [
  'Better than the price says',
  'Fancied since Monday',
  'Ground suits',
  'Form of the season',
  'Nap',
]

/** From 0 to 99, in no visible order, and the same at every start. */
export function draw(luck: number, tip: number, purpose: number): number {
  let mixed = (luck * 7919 + tip * 104_729 + purpose * 1_299_709) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b) >>> 0
  return ((mixed ^ (mixed >>> 16)) >>> 0) % 100
}

function price(num: number, den: number): Fraction {
  return { num, den }
}
