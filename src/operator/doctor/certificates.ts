import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import type { TlsFiles } from '../../platform/config/config.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import type { Check } from '../health/checks.ts'
import { type Part, type Probe, part } from './probe.ts'

const WARN_DAYS = 30

export const certificates: Probe = {
  name: 'tls',
  title: 'TLS',
  run({ config, now }) {
    const ofPublic = config.tls === null ? [] : checkFiles('TLS_CERT', config.tls, now())
    const ofOperators = config.operator.tls === null ? [] : checkFiles('OPERATOR_TLS_CERT', config.operator.tls, now())
    return [...ofPublic, ...ofOperators]
  },
}

function checkFiles(setting: string, files: TlsFiles, now: number): Check[] {
  const checks = part('tls', setting)
  try {
    const chain = certificatesIn(readFileSync(files.cert, 'utf8'))
    const [leaf] = chain
    if (leaf === undefined)
      return [checks.critical(`${files.cert} has no certificate.`, 'Write the path of a PEM file.')]
    return [
      ...notYetChecks(checks, chain, now),
      expiryCheck(checks, Date.parse(leaf.validTo), now),
      ...issuerExpiryChecks(checks, chain, now),
      ...keyChecks(checks, leaf, files),
      ...chainChecks(checks, chain),
    ]
  } catch (error) {
    // The message of a file that is no PEM has none of it.
    const advice = `See that ${setting} and its key are PEM files that the account of the service may read.`
    return [checks.critical(`${(error as Error).message}.`, advice)]
  }
}

function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

export function expiryCheck({ good, warning, critical }: Part, until: number, now: number): Check {
  const day = dayOf(until)
  const days = Math.floor((until - now) / DAY_MS)
  if (until <= now) return critical(`The certificate expired on ${day}.`, 'Install a new one, and restart the service.')
  const detail = `The certificate is valid until ${day}, ${days === 1 ? '1 more day' : `${days} more days`}.`
  if (days < WARN_DAYS) return warning(detail, 'Renew it. The service reads it when it starts: restart it afterwards.')
  return good(detail)
}

function notYetChecks({ critical }: Part, chain: readonly X509Certificate[], now: number): Check[] {
  const early = chain.find((one) => Date.parse(one.validFrom) > now)
  if (early === undefined) return []
  const advice = 'Install one that is valid already, or correct the clock of this machine.'
  return [critical(`A certificate of the file is valid only from ${dayOf(Date.parse(early.validFrom))} on.`, advice)]
}

/** Clients do not look at the time of a root, which they have themselves. */
function issuerExpiryChecks({ warning, critical }: Part, chain: readonly X509Certificate[], now: number): Check[] {
  const issuers = chain.slice(1).filter((one) => !one.checkIssued(one))
  const until = Math.min(...issuers.map((one) => Date.parse(one.validTo)))
  if (until - now >= WARN_DAYS * DAY_MS) return []
  const [state, verb] = until <= now ? [critical, 'expired'] : [warning, 'expires']
  return [
    state(
      `An intermediate certificate of the file ${verb} on ${dayOf(until)}.`,
      'Replace it by the current one of the authority, and restart the service.',
    ),
  ]
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function keyChecks({ critical }: Part, leaf: X509Certificate, { key }: TlsFiles): Check[] {
  const pem = readFileSync(key, 'utf8')
  if (/ENCRYPTED/.test(pem)) {
    const advice = `Remove it, as the service has nobody to ask: openssl pkey -in ${key} -out NEW.pem, and chmod 600 NEW.pem.`
    return [critical(`The key in ${key} has a passphrase.`, advice)]
  }
  if (leaf.checkPrivateKey(createPrivateKey(pem))) return []
  return [
    critical(`The key in ${key} is not that of the certificate.`, 'Install the certificate and the key together.'),
  ]
}

function chainChecks({ good, warning }: Part, chain: readonly X509Certificate[]): Check[] {
  const broken = chain.findIndex((one, index) => index > 0 && !(chain[index - 1] as X509Certificate).checkIssued(one))
  if (broken !== -1) {
    return [
      warning(
        `Certificate ${broken + 1} of the file did not issue the one before it.`,
        'Put the certificate first, then each issuer.',
      ),
    ]
  }
  const last = chain.at(-1) as X509Certificate
  if (chain.length === 1 && last.checkIssued(last)) {
    return [
      warning('It is signed by itself.', 'Clients must be told to trust it. Use one of an authority that they know.'),
    ]
  }
  // With those of NODE_EXTRA_CA_CERTS.
  const known = getCACertificates('default')
  if (last.checkIssued(last) || known.some((root) => last.checkIssued(new X509Certificate(root)))) {
    return [good('Its chain is complete.')]
  }
  const advice = 'Add the intermediate certificates to the file, unless it is of your own authority.'
  return [warning('Its chain does not lead to an authority that this machine knows.', advice)]
}
