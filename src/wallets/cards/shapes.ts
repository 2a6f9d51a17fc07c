import { child, document, element, optional, record, sequence, type Value } from '../../http/representation/shape.ts'

const method = record({
  id: element('integer'),
  type: element('text'),
  limits: child(record({ minDeposit: element('text'), maxDeposit: element('text') })),
  card: child(
    record({
      number: element('text'),
      issueDate: optional(element('text')),
      expiryDate: element('text'),
      country: element('text'),
      scheme: element('text'),
    }),
  ),
})

export const methodsDocument = document(
  'whoWallets',
  record({ paymentMethods: child(sequence('method', method, 'plain')) }),
)
export type Method = Value<typeof method>
