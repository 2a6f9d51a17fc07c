import { useEffect, useState } from 'react'
import { SCROLLED_BY_KEYS } from '../../../web/scrolled.ts'
import type { Exchange } from '../recorder.ts'
import styles from './drawer.module.css'
import { curlOf, indentXml, prettyBody } from './texts.ts'

export type Representation = 'json' | 'xml'

type DetailsProps = { exchange: Exchange; representation: Representation }

export function ExchangeDetails({ exchange, representation }: DetailsProps) {
  const { requestBody, failure, responseHeaders } = exchange
  const isXml = representation === 'xml' && isRepeatable(exchange)
  const xml = useXml(exchange, isXml)
  const headers = (xml?.headers ?? responseHeaders ?? []).filter(([name]) => !UNINTERESTING.has(name))
  return (
    <div className={styles.exchange}>
      <CopyCurl key={String(isXml)} exchange={exchange} isXml={isXml} />
      <h3>Request</h3>
      <Headers headers={exchange.requestHeaders.map((one) => shownHeader(one, isXml))} />
      {requestBody !== undefined && <Block label="Body of the request" text={requestBody} />}
      <h3>Answer</h3>
      {failure !== undefined && <p>{failure}</p>}
      <Headers headers={headers} />
      {representation === 'xml' && !isXml && (
        <p className={styles.note}>
          Only GET requests are repeated as XML. The same call answers XML to accept: application/xml.
        </p>
      )}
      <Block label="Body of the answer" text={isXml ? (xml?.text ?? 'Loading …') : prettyBody(exchange.body)} />
    </div>
  )
}

const UNINTERESTING = new Set(['connection', 'keep-alive', 'transfer-encoding', 'vary', 'date'])

const isRepeatable = ({ method, isStream, address }: Exchange) =>
  method === 'GET' && !isStream && address.startsWith('/v1/')

function shownHeader([name, value]: readonly [string, string], isXml: boolean): readonly [string, string] {
  if (name === 'who-secret') return [name, '•'.repeat(value.length)]
  return [name, name === 'accept' && isXml ? 'application/xml' : value]
}

type XmlAnswer = { text: string; headers: readonly (readonly [string, string])[] }

/** The same request again, for XML. It is not recorded. */
function useXml({ address, requestHeaders }: Exchange, isWanted: boolean): XmlAnswer | undefined {
  const [answer, setAnswer] = useState<XmlAnswer>()
  useEffect(() => {
    if (!isWanted) return setAnswer(undefined)
    let isCurrent = true
    const headers = { ...Object.fromEntries(requestHeaders), accept: 'application/xml' }
    fetch(address, { headers })
      .then(async (response) => ({ text: indentXml(await response.text()), headers: [...response.headers] }))
      .catch((error: unknown) => ({ text: String(error), headers: [] }))
      .then((read) => {
        if (isCurrent) setAnswer(read)
      })
    return () => {
      isCurrent = false
    }
  }, [address, requestHeaders, isWanted])
  return answer
}

function Headers({ headers }: { headers: readonly (readonly [string, string])[] }) {
  return (
    <dl className={styles.headers}>
      {headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Block({ label, text }: { label: string; text: string | undefined }) {
  if (text === undefined || text === '') return <p className={styles.note}>No body.</p>
  return (
    <section className={styles.body} {...SCROLLED_BY_KEYS} aria-label={label}>
      <pre>{text}</pre>
    </section>
  )
}

function CopyCurl({ exchange, isXml }: { exchange: Exchange; isXml: boolean }) {
  const [label, setLabel] = useState('Copy as curl')
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(curlOf(exchange, isXml))
      setLabel('Copied')
    } catch {
      setLabel('Could not copy')
    }
  }
  return (
    <button type="button" className={styles.copy} onClick={copy}>
      {label}
    </button>
  )
}
