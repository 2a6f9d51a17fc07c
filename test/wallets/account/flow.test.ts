import { expect, test } from 'vitest'
import { useService } from '../../harness/service.ts'
import { deposit, newDepositor, paidOrFaultCode } from '../../harness/wallets.ts'

const service = useService()

const readBalance = async (ticket: string) =>
  (await service.call('GET', '/v1/wallets/me/balance', { ticket, accept: 'application/json' })).json().whoWallets

test('the balance is what was credited, in the customer’s currency', async () => {
  const customer = await newDepositor(service)
  const nothing = { balance: '0.00', currency: 'GBP', debt: '0.00', pending: '0.00' }
  expect(await readBalance(customer.ticket)).toEqual(nothing)
  expect(paidOrFaultCode(await deposit(service, { ...customer, amount: '12.50' }))).toBe('paid')
  expect(await readBalance(customer.ticket)).toEqual({ ...nothing, balance: '12.50' })
  await service.context.database.script(
    `insert into account (kind, customer_id, currency, balance) values ('debt', ${customer.id}, 'GBP', -305)`,
  )
  expect(await readBalance(customer.ticket)).toEqual({ ...nothing, balance: '12.50', debt: '3.05' })
  const xml = await service.call('GET', '/v1/wallets/me/balance', { ticket: customer.ticket })
  expect(xml.text).toContain(
    '<whoWallets><balance>12.50</balance><currency>GBP</currency><debt>3.05</debt><pending>0.00</pending></whoWallets>',
  )
  const other = await service.customer({ currency: 'SEK' })
  expect(await readBalance(other.ticket)).toEqual({ ...nothing, currency: 'SEK' })
})
