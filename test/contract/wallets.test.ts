import { expect, test } from 'vitest'
import { type CustomerInput, putCustomer } from '../../src/identity/customers/customer.ts'
import { allOperations } from '../../src/operations.ts'
import { methodsDocument } from '../../src/wallets/cards/shapes.ts'
import { expectDocument } from '../harness/answers.ts'
import { call, useService } from '../harness/service.ts'
import { addCard, deposit, ledgerProblems, newDepositor, paidOrFaultCode, sweepUntil } from '../harness/wallets.ts'

const service = useService({ GATEWAY_TIMEOUT_MS: '200', DEPOSIT_LEASE_SECONDS: '2', VOID_GRACE_SECONDS: '1' })
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

test('a deposit is answered with its payment id and time, in JSON and XML', async () => {
  const { ticket, method, id } = await newDepositor(service)
  const json = await deposit(service, { ticket, method })
  expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(json.json()).toEqual({
    whoWallets: {
      paymentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      paymentDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    },
  })
  const xml = await deposit(service, { ticket, method, accept: 'application/xml' })
  expect(xml.text).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<whoWallets><paymentId>[0-9a-f-]{36}<\/paymentId><paymentDateTime>[\d: -]{19}<\/paymentDateTime><\/whoWallets>$/,
  )
  await sweepUntil(service, id, ['CAPTURED', 'CAPTURED'])
  expect(await ledgerProblems(service)).toEqual([])
})

test('parameters come from the query string too; with another value in the form they are invalid (ruling R12)', async () => {
  const { ticket, method } = await newDepositor(service)
  const query = `transactionType=deposit&amount=20&id=${method}&cv2=1234`
  const reply = await service.call('POST', `/v1/wallets/me?${query}`, { ticket, accept: 'application/json' })
  expect(paidOrFaultCode(reply)).toBe('paid')
  const send = (inQuery: string) =>
    service.call('POST', `/v1/wallets/me?${inQuery}`, {
      ticket,
      accept: 'application/json',
      headers: FORM,
      body: query,
    })
  for (const [name, other] of Object.entries({ transactionType: 'withdrawal', amount: '10.00', id: '1', cv2: '123' })) {
    const { faultCode, faultName } = (await send(`${name}=${other}`)).json().whoFaults[0]
    expect([faultCode, faultName]).toEqual(['10071', name])
  }
  expect(paidOrFaultCode(await send(query))).toBe('paid')
})

test('every parameter of wallets that a form may have follows ruling R12', () => {
  const ofForms = allOperations
    .filter(({ path }) => path.startsWith('/v1/wallets'))
    .flatMap(({ name, parameters }) => Object.entries(parameters).map(([key, of]) => ({ name: `${name} ${key}`, of })))
    .filter(({ of }) => of.from === 'query or form')
  expect(ofForms.length).toBeGreaterThan(10)
  expect(ofForms.filter(({ of }) => !of.mustAgree).map(({ name }) => name)).toEqual([])
})

test('a parameter given twice is invalid, cv2 too', async () => {
  const { ticket, method } = await newDepositor(service)
  for (const name of ['transactionType', 'amount', 'id', 'cv2']) {
    const query = `transactionType=deposit&amount=10&id=${method}&cv2=123&${name}=1`
    const reply = await service.call('POST', `/v1/wallets/me?${query}`, { ticket, accept: 'application/json' })
    const { faultCode, faultName } = reply.json().whoFaults[0]
    expect([reply.status, faultCode, faultName]).toEqual([200, '10071', name])
  }
})

test('payment methods are listed by POST and GET, in both representations', async () => {
  const customer = await service.customer()
  const first = await addCard(service, customer, { min: '5', max: '250.5' })
  const second = await addCard(service, customer)
  const posted = await service.call('POST', '/v1/wallets/me/methods', { ticket: customer.ticket })
  expect(posted.text).toContain(
    `<whoWallets><paymentMethods><method><id>${first}</id><type>CARD</type><limits><minDeposit>5.00</minDeposit><maxDeposit>250.50</maxDeposit></limits><card><number>411111******1111</number><issueDate>01/24</issueDate><expiryDate>12/49</expiryDate><country>GB</country><scheme>VISA</scheme></card></method><method><id>${second}</id>`,
  )
  const got = await service.call('GET', '/v1/wallets/me/methods', {
    ticket: customer.ticket,
    accept: 'application/json',
  })
  expect(got.json().whoWallets.paymentMethods).toHaveLength(2)
  expect(got.json().whoWallets.paymentMethods[0]).toEqual({
    id: `${first}`,
    type: 'CARD',
    limits: { minDeposit: '5.00', maxDeposit: '250.50' },
    card: {
      number: '411111******1111',
      issueDate: '01/24',
      expiryDate: '12/49',
      country: 'GB',
      scheme: 'VISA',
    },
  })
})

test('a card without an issue date is shown without one, as the XSD, OpenAPI and reference say', async () => {
  const customer = await service.customer()
  const put = await service.operator('PUT', `/operator/v1/customers/${customer.id}/payment-methods/9001`, {
    type: 'CARD',
    token: 'sandbox:approve',
    limits: { minDeposit: '5.00', maxDeposit: '500.00' },
    card: { number: '411111******1111', expiryDate: '12/49', country: 'GB', scheme: 'VISA' },
  })
  expect(put.status).toBe(201)
  for (const accept of ['application/xml', 'application/json']) {
    const reply = await service.call('POST', '/v1/wallets/me/methods', { ticket: customer.ticket, accept })
    expect(reply.text).not.toContain('issueDate')
    expectDocument(reply, methodsDocument)
  }
  const read = async (url: string) => (await fetch(url)).text()
  const xsd = await read(`${service.publicUrl}/schemas/getPaymentMethods.xsd`)
  expect(xsd).toMatch(/<xs:element name="issueDate"[^>]* minOccurs="0"/)
  const { components } = JSON.parse(await read(`${service.publicUrl}/openapi.json`))
  const method = components.schemas.getPaymentMethods.properties.whoWallets.properties.paymentMethods.items
  expect(method.properties.card.required).toEqual(['number', 'expiryDate', 'country', 'scheme'])
  const operator = JSON.parse(await read(`${service.operatorUrl}/operator/openapi.json`))
  const { card } = operator.components.schemas.PaymentMethod.properties
  expect(Object.keys(card.properties)).toContain('issueDate')
  expect(card.required).toEqual(['number', 'expiryDate', 'country', 'scheme'])
  const page = await read(`${service.publicUrl}/docs/getPaymentMethods`)
  expect(page).toMatch(/issueDate<\/code> <span class="quiet">optional</)
})

// ---- The sixteen faults, each in XML and JSON, with HTTP 200

type Case = {
  code: string
  name?: string
  parameters?: Record<string, string | null>
  token?: string
  card?: { min?: string; max?: string; expiryDate?: string; country?: string; funding?: string }
  customer?: Parameters<typeof service.customer>[0]
}

const FAULTS: Record<string, Case> = {
  'transactionType missing': { code: '10070', name: 'transactionType', parameters: { transactionType: null } },
  'transactionType blank': { code: '10070', name: 'transactionType', parameters: { transactionType: '' } },
  'amount missing': { code: '10070', name: 'amount', parameters: { amount: null } },
  'id missing': { code: '10070', name: 'id', parameters: { id: null } },
  'cv2 missing': { code: '10070', name: 'cv2', parameters: { cv2: null } },
  'a withdrawal': { code: '10071', name: 'transactionType', parameters: { transactionType: 'withdrawal' } },
  'amount with three decimals': { code: '10071', name: 'amount', parameters: { amount: '10.001' } },
  'amount with a sign': { code: '10071', name: 'amount', parameters: { amount: '-10' } },
  'amount with an exponent': { code: '10071', name: 'amount', parameters: { amount: '1e3' } },
  'amount without digits before the point': { code: '10071', name: 'amount', parameters: { amount: '.50' } },
  'amount with leading zeros': { code: '10071', name: 'amount', parameters: { amount: '00005.00' } },
  'amount with a leading zero': { code: '10071', name: 'amount', parameters: { amount: '010' } },
  'amount in words': { code: '10071', name: 'amount', parameters: { amount: 'NaN' } },
  'id not digits': { code: '10071', name: 'id', parameters: { id: '12a' } },
  'method of nobody': { code: '24001', name: 'transactionType', parameters: { id: '999999999' } },
  'method beyond every id': { code: '24001', name: 'transactionType', parameters: { id: '9'.repeat(40) } },
  'credit card where it is banned': { code: '24001', name: 'transactionType', card: { funding: 'credit' } },
  'well formed without pounds': { code: '24002', name: 'amount', parameters: { amount: '0.50' } },
  'below the minimum': { code: '24002', name: 'amount', parameters: { amount: '4.99' } },
  zero: { code: '24002', name: 'amount', parameters: { amount: '0.00' }, card: { min: '0' } },
  'above the maximum': { code: '24003', name: 'amount', parameters: { amount: '1000.01' } },
  'far above the maximum': { code: '24003', name: 'amount', parameters: { amount: '9'.repeat(60) } },
  'customer suspended': { code: '24004', customer: { status: 'suspended' } },
  'customer closed': { code: '24004', customer: { status: 'closed' } },
  'customer self-excluded': { code: '24004', customer: { status: 'self-excluded' } },
  'customer not verified': { code: '24004', customer: { verified: false } },
  'refused by the bank': { code: '24005', token: 'sandbox:decline' },
  'no answer, nothing held': { code: '24005', token: 'sandbox:timeout-before' },
  'no answer, something held': { code: '24005', token: 'sandbox:timeout-after' },
  'error, nothing held': { code: '24005', token: 'sandbox:error-before' },
  'error, something held': { code: '24005', token: 'sandbox:error-after' },
  'invalid card': { code: '24006', token: 'sandbox:invalid-card' },
  'insufficient funds': { code: '24007', token: 'sandbox:insufficient-funds' },
  'daily limit': { code: '24008', customer: { dailyDepositLimit: 999n } },
  'cv2 of two digits': { code: '24009', name: 'cv2', parameters: { cv2: '12' } },
  'cv2 of five digits': { code: '24009', name: 'cv2', parameters: { cv2: '12345' } },
  'cv2 wrong': { code: '24009', name: 'cv2', token: 'sandbox:wrong-cv2' },
  'card expired': { code: '24010', card: { expiryDate: '01/20' } },
  'card expired, says the bank': { code: '24010', token: 'sandbox:expired' },
  'statement not accepted': { code: '24015', customer: { fundsStatementVersion: 0 } },
}

test.for(Object.entries(FAULTS))(
  'a deposit is refused: %s',
  async ([, { code, name, parameters = {}, token, card: options, customer }]) => {
    const { id: customerId, ticket } = await service.customer(customer)
    const method = await addCard(service, { id: customerId, ticket }, { ...options, ...(token ? { token } : {}) })
    const given = { transactionType: 'deposit', amount: '10.00', id: `${method}`, cv2: '123', ...parameters }
    const pairs = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== null)
    const body = new URLSearchParams(pairs).toString()
    const json = await service.call('POST', '/v1/wallets/me', {
      ticket,
      accept: 'application/json',
      headers: FORM,
      body,
    })
    expect([json.status, json.json()]).toEqual([
      200,
      {
        whoFaults: [
          { faultCode: code, faultString: expect.any(String), ...(name === undefined ? {} : { faultName: name }) },
        ],
      },
    ])
    const xml = await service.call('POST', '/v1/wallets/me', { ticket, headers: FORM, body })
    expect(xml.status).toBe(200)
    const faultName = name === undefined ? '' : `<faultName>${name}</faultName>`
    expect(xml.text).toMatch(
      new RegExp(
        `<whoFaults><fault><faultCode>${code}</faultCode><faultString>[^<]+</faultString>${faultName}</fault></whoFaults>$`,
      ),
    )
  },
)

test('24000: no payment method, or none that may be used', async () => {
  const customer = await service.customer()
  const none = await service.call('GET', '/v1/wallets/me/methods', { ticket: customer.ticket })
  expect([none.status, none.text]).toEqual([200, expect.stringMatching(/<faultCode>24000<.*string><\/fault>/i)])
  await addCard(service, customer, { funding: 'credit' })
  const hidden = await service.call('POST', '/v1/wallets/me/methods', {
    ticket: customer.ticket,
    accept: 'application/json',
  })
  expect([hidden.status, hidden.json().whoFaults[0].faultCode]).toEqual([200, '24000'])
  await addCard(service, customer, { funding: 'credit', country: 'IE' })
  const shown = await service.call('GET', '/v1/wallets/me/methods', {
    ticket: customer.ticket,
    accept: 'application/json',
  })
  expect(shown.json().whoWallets.paymentMethods).toHaveLength(1)
})

test('faults of key, secret, ticket and accept have their own statuses', async () => {
  const { ticket, method } = await newDepositor(service)
  const path = `/v1/wallets/me?transactionType=deposit&amount=10&id=${method}&cv2=123`
  const status = async (options: Parameters<typeof service.call>[2]) =>
    (await service.call('POST', path, options)).status
  expect(await status({ ticket, key: null })).toBe(400)
  expect(await status({ ticket, secret: 'wrong' })).toBe(401)
  expect(await status({})).toBe(400)
  expect(await status({ ticket: 'TGT-1-nobody' })).toBe(401)
  expect(await status({ ticket, accept: 'text/html' })).toBe(406)
  expect(await status({ ticket, body: 'x'.repeat(70_000) })).toBe(413)
  const wrong = await call(service.publicUrl, 'PUT', '/v1/wallets/me', { ticket })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
  expect((await service.operator('GET', '/operator/v1/deposits?customerId=1')).body.items).toEqual([])
})

// ---- The order of ruling R9: each fault hides the later ones

test('the first fault in the order of the rulings is the one answered', async () => {
  const customer = await service.customer({ verified: false, fundsStatementVersion: 0, dailyDepositLimit: 100n })
  const options = { token: 'sandbox:decline', expiryDate: '01/20', min: '5.00', max: '6.00' }
  const method = await addCard(service, customer, options)
  const ask = async (change: { type?: string; amount?: string; id?: string; cv2?: string }) =>
    paidOrFaultCode(
      await deposit(service, {
        ticket: customer.ticket,
        type: change.type ?? 'deposit',
        amount: change.amount ?? '4.00',
        method: change.id ?? method,
        cv2: change.cv2 ?? '123',
      }),
    )
  expect(await ask({ type: '', amount: 'x', id: 'x', cv2: 'x' })).toBe('10070')
  expect(await ask({ type: 'x', amount: 'x', id: 'x', cv2: 'x' })).toBe('10071')
  expect(await ask({ id: '77', cv2: 'x' })).toBe('24009')
  expect(await ask({ id: '77' })).toBe('24001')
  expect(await ask({})).toBe('24004')
  const put = (input: CustomerInput) => putCustomer(service.context.database, customer.id, input, service.clock.now())
  await put({ verified: true })
  expect(await ask({})).toBe('24015')
  await put({ fundsStatementVersion: 1 })
  expect(await ask({})).toBe('24010')
  await addCard(service, customer, { ...options, id: method, expiryDate: '12/49' })
  expect(await ask({})).toBe('24002')
  expect(await ask({ amount: '7.00' })).toBe('24003')
  expect(await ask({ amount: '5.00' })).toBe('24008')
  await put({ dailyDepositLimit: null })
  expect(await ask({ amount: '5.00' })).toBe('24005')
})
