// Written by `npm run client` from the operations of the service. Do not edit.

/** The fields whose meaning their names do not say. */
export const fieldKinds = {
  yesNo: 'extended startingPrice inPlay prompted',
  integer: 'rank num beaten length longestLosing priceNum priceDen priceUS size index first second',
  time: 'from to settled resets notBefore lapses excludedUntil',
  asIs: 'keyId paymentId',
  utcTime: 'paymentDateTime',
}
