import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readAdyenReport } from '../../src/wallets/gateways/adyen/report.ts'

const HEADER = 'Company Account,Merchant Reference,Type,Gross Currency,Gross Credit (GC),Note'

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}

async function read(text: string, chunk = text.length) {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, index) =>
    bytes.subarray(index * chunk, (index + 1) * chunk),
  )
  return all(readAdyenReport(Readable.from(chunks)))
}

test.each([1, 7, 1_000])(
  'the parser reads quoted commas, quotes and line ends, in chunks of %i bytes',
  async (chunk) => {
    const report = [
      `\ufeff${HEADER}`,
      'Us,one,Settled,GBP,10.00,"first line\r\nsecond, ""quoted"" line\nUs,forged,Settled,GBP,99.00,x"',
      '"Us","two",Settled,"EUR","1.05",',
      '',
      'Us,three,Fee,GBP,,',
      'Us,four,Settled,GBP,3.00,end',
    ].join('\r\n')
    expect(await read(report, chunk)).toEqual([
      { reference: 'one', currency: 'GBP', amount: '10.00', state: 'settled' },
      { reference: 'two', currency: 'EUR', amount: '1.05', state: 'settled' },
      { reference: 'four', currency: 'GBP', amount: '3.00', state: 'settled' },
    ])
  },
)

test.each([
  ['an empty file', '', 'empty'],
  ['other columns', 'Merchant Reference,b\n1,2\n', 'no column "Type", "Gross Currency", "Gross Credit (GC)"'],
  ['a quote that is not closed', `${HEADER}\nUs,one,Settled,GBP,10.00,"x\nUs,two,Settled,GBP,10.00,y\n`, 'Quote'],
  ['a line that is cut off', `${HEADER}\nUs,one,Settled,GBP\n`, 'Record Length'],
])('%s is refused', async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(message)
})

test('refunds, chargebacks and payouts have the amount of their column', async () => {
  const header = 'Merchant Reference,Type,Gross Currency,Gross Debit (GC),Gross Credit (GC)'
  const lines = [
    'one,Refunded,GBP,5.00,',
    'one,RefundedReversed,GBP,,5.00',
    'two,Chargeback,GBP,10.00,',
    'two,ChargebackReversed,GBP,,10.00',
    'two,SecondChargeback,GBP,10.00,',
    'three,PaidOut,GBP,7.50,',
    'three,PaidOutReversed,GBP,,7.50',
  ]
  const bookings = await read([header, ...lines].join('\n'))
  expect(bookings.map(({ reference, amount, state }) => [reference, amount, state])).toEqual([
    ['one', '5.00', 'refunded'],
    ['one', '5.00', 'refund reversed'],
    ['two', '10.00', 'charged back'],
    ['two', '10.00', 'chargeback reversed'],
    ['two', '10.00', 'charged back'],
    ['three', '7.50', 'paid out'],
    ['three', '7.50', 'payout reversed'],
  ])
  await expect(read(`${HEADER}\nUs,one,Refunded,GBP,,x\n`)).rejects.toThrow('no column "Gross Debit (GC)"')
})

test('our reference of a refund, and Adyen’s of a refund or dispute, are read where the report has them', async () => {
  const header = 'Merchant Reference,Type,Gross Currency,Gross Debit (GC),Gross Credit (GC),Modification Reference'
  const lines = ['one,Settled,GBP,,5.00,PSP0', 'one,Refunded,GBP,5.00,,PSP1', 'one,Chargeback,GBP,5.00,,']
  expect((await read([header, ...lines].join('\n'))).map((one) => one.returnReferences)).toEqual([
    undefined,
    ['PSP1'],
    undefined,
  ])
  const both = [`${header},Modification Merchant Reference`, 'one,Refunded,GBP,5.00,,PSP1,refund-1'].join('\n')
  expect((await read(both))[0]?.returnReferences).toEqual(['refund-1', 'PSP1'])
})

/** The balance platform accounting report. */
const ACCOUNTING = 'BalanceAccount,Transfer Id,Transaction Id,Category,Status,Type,Currency,Amount,Reference'

test('of the balance account’s report, only what has moved to or from a card counts', async () => {
  const lines = [
    'BA1,T1,,card,authorised,cardTransfer,GBP,-7.50,one',
    'BA1,T1,X1,card,booked,cardTransfer,GBP,-7.50,one',
    'BA1,T1,,card,credited,cardTransfer,GBP,-7.50,one',
    'BA1,T1,X2,card,returned,cardTransfer,GBP,7.50,one',
    'BA1,T2,,card,refused,cardTransfer,GBP,-3.00,two',
    'BA1,T3,X3,bank,booked,bankTransfer,GBP,100.00,topped up',
  ]
  expect(await read([ACCOUNTING, ...lines].join('\n'))).toEqual([
    { reference: 'one', amount: '7.50', currency: 'GBP', state: 'paid out' },
    { reference: 'one', amount: '7.50', currency: 'GBP', state: 'payout reversed' },
  ])
})

test('the error of a failed stream is thrown', async () => {
  const failing = new Readable({
    read() {
      this.destroy(new Error('the disk is gone'))
    },
  })
  await expect(all(readAdyenReport(failing))).rejects.toThrow('the disk is gone')
})
