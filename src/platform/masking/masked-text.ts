// Text that others sent, as it may be stored and shown: without secrets and long numbers, and not longer than a limit. What is left
// out is marked with "…".

import { withoutLongNumbers } from './long-numbers.ts'
import { valueEnd } from './named-values.ts'

const LEFT_OUT = '…'

/** Compared without signs and case, anywhere in the name: rather a harmless value too few than a secret. */
const SECRET_NAME =
  /pass(?:w|p|code|$)|pwd|secret|token|ticket|c[vs][cnv2]|securitycode|(?:^|card)pin|(?:^|card|primary)pan|card(?:no|num)|accountn|iban|auth(?!or(?!i[sz]))|credential|private|sig$|signature|key|cookie|session|jwt|bearer|otp|hmac/
const SIGNS = /[^\p{L}\p{N}]/gu

/** A name, as in `"password": "…"`, `password=…`, `<password>…` and `Password: …`; quotes may be escaped, in JSON within JSON. */
const NAME = /(?<![\w-])([\w-]{1,200})(\\{0,3}["']?\s{0,3}[:=>])\s{0,3}/g

/** Secrets that are recognised by how they begin. */
const KNOWN_SECRET = /\b(?:whsec_|sk_live_|TGT-|Bearer |Basic |eyJ)[\w+/=.~-]{4,4000}/g
const KEY_BEGINS = '-----BEGIN '
const KEY_ENDS = '-----END '

/** Letters and digits that need no encoding, encoded once or twice: nobody who means well does that. */
const ENCODED_PLAIN = /%(?:25)?(3\d|[46][1-9a-f]|[57][\da])|\\u00(3\d|[46][1-9a-f]|[57][\da])/gi

/** `text` may be the beginning of a longer one: give twice `maxLength`, so that no secret is cut where it is not recognised. */
export function maskedText(text: string, maxLength: number): string {
  const plain = text.replace(ENCODED_PLAIN, (_, percent, unicode) =>
    String.fromCharCode(Number.parseInt(percent ?? unicode, 16)),
  )
  const masked = withoutLongNumbers(withoutNamedSecrets(withoutKeys(plain)).replace(KNOWN_SECRET, LEFT_OUT))
  const printable = masked.replace(/\p{Cc}/gu, (one) =>
    one === '\n' || one === '\t' ? one : one === '\r' ? '' : '\ufffd',
  )
  // PostgreSQL takes no half of a character.
  if (printable.length <= maxLength) return printable.toWellFormed()
  return (printable.slice(0, maxLength - 1) + LEFT_OUT).toWellFormed()
}

/** Leaves out a file in PEM, such as a private key. */
function withoutKeys(text: string): string {
  const begin = text.indexOf(KEY_BEGINS)
  if (begin === -1) return text
  const end = text.lastIndexOf(KEY_ENDS)
  const rest = end < begin ? -1 : text.indexOf('\n', end)
  return text.slice(0, begin) + LEFT_OUT + (rest === -1 ? '' : text.slice(rest))
}

/** A value that follows a name may itself be a name and a value: only what is left out is skipped. */
function withoutNamedSecrets(text: string): string {
  let masked = ''
  let end = 0
  for (const found of text.matchAll(NAME)) {
    const from = found.index + found[0].length
    const [, name = '', after = ''] = found
    if (found.index < end || text.startsWith('</', found.index - 2) || !isSecretName(name)) continue
    const to = valueEnd(text, from, { name, after })
    if (to <= from) continue
    masked += text.slice(end, from) + (text[from] === '"' ? `"${LEFT_OUT}"` : LEFT_OUT)
    end = to
  }
  return masked + text.slice(end)
}

/** Whether the value of a field with this name is left out. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.normalize('NFKC').replace(SIGNS, '').toLowerCase())
}
