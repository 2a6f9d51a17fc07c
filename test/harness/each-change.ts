/** `npm test`, which plays a share of what `npm run test:all` and a suite that is run by itself play whole. */
export const isEachChange = process.env.TEST_SUITES === 'each-change'
