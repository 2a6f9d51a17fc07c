import { gatewayTable, howToConfigure } from '../../wallets/gateways/gateways.ts'
import type { Check } from '../health/checks.ts'
import { headerClockCheck } from './clock.ts'
import { type Probe, part } from './probe.ts'

const { good, warning, critical } = part('gateway', 'Payment gateway')

export const gateway: Probe = {
  name: 'gateway',
  title: 'Payment gateway',
  async run({ config, now }) {
    const { gateway: name, sandboxGatewayUrl } = config.wallets
    // Opening it would create its file.
    if (name === 'sandbox' && sandboxGatewayUrl === null) return [good('The sandbox’s own bank, in this process.')]
    const opened = await gatewayTable[name].open(config)
    if (opened === null)
      return [critical(`GATEWAY=${name} is not configured.`, `Write its settings: ${howToConfigure(name)}.`)]
    try {
      const calls = await opened.tryKeys()
      const clock = headerClockCheck('the gateway', calls[0]?.date, now())
      return [...calls.map(callCheck), ...(clock === null ? [] : [clock])]
    } finally {
      await opened.close()
    }
  },
}

type Call = { readonly what: string; readonly outcome: 'accepted' | 'refused' | 'unknown'; readonly reason: string }

function callCheck({ what, outcome, reason }: Call): Check {
  if (outcome === 'accepted') return good(`It accepts the key for ${what}, in a call that moves nothing.`)
  if (outcome === 'refused') {
    return critical(
      `It refuses the key for ${what} (${reason}).`,
      'Compare key and account with those of its back office.',
    )
  }
  const advice = 'See that this machine reaches its address, and look at the gateway’s own status page.'
  return warning(`It gave no usable answer for ${what} (${reason}).`, advice)
}
