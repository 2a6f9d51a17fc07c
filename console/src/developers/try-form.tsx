import { useState } from 'react'
import type { PublicOperation, TriedAnswer } from '../../../src/operator/api-types.ts'
import { buildRequest, curlLine, faultOf, languageOf, prettyBody } from '../../../web/reference/request.js'
import { ActionForm } from '../parts/action.tsx'
import { Badge } from '../parts/basics.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { useSession } from '../sign-in/session.tsx'
import { requestLink, TextBlock } from './request-details.tsx'
import styles from './try-screen.module.css'

type Credentials = { apiKey: string; secret: string; ticket: string }
type Format = 'xml' | 'json'
type Values = Readonly<Record<string, string>>
type TryFormProps = { operation: PublicOperation; origin: string; credentials: Credentials }

export function TryForm({ operation, origin, credentials }: TryFormProps) {
  const { api } = useSession()
  const { apiKey, secret, ticket } = credentials
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(operation.parameters.map(({ name, value }) => [name, value])),
  )
  const [accept, setAccept] = useState<Format>('json')
  const [answer, setAnswer] = useState<TriedAnswer>()

  async function send(): Promise<void> {
    setAnswer(undefined)
    const entered = { ...(secret !== '' && { secret }), ...(ticket !== '' && { ticket }) }
    const body = { operation: operation.name, parameters: values, accept, ...entered }
    setAnswer(await api('tryOperation', { apiKey, body }))
  }

  return (
    <div className={styles.request}>
      <ActionForm action={send} confirmation={confirmationOf(operation, values)}>
        {(busy) => (
          <>
            <h2>{operation.name}</h2>
            <p>
              <code>
                {operation.method} {operation.path}
              </code>{' '}
              <span className="quiet">{operation.summary}</span>
            </p>
            {operation.warning !== null && (
              <p className="warning">{operation.warning} You are asked before the request is sent.</p>
            )}
            <CredentialAdvice operation={operation} credentials={credentials} />
            {operation.picture !== null && <p className="hint">Sends the default picture of the service.</p>}
            <Fields operation={operation} values={values} onChange={setValues} />
            {operation.hasFormats && <FormatField value={accept} onChange={setAccept} />}
            <button type="submit" className="primary" aria-disabled={busy}>
              Send request
            </button>
          </>
        )}
      </ActionForm>
      {answer && <Answer apiKey={apiKey} answer={answer} />}
      <TextBlock title="The same with curl">{curlOf({ operation, origin, credentials }, values, accept)}</TextBlock>
    </div>
  )
}

function confirmationOf({ name, method, warning }: PublicOperation, values: Values) {
  if (warning === null) return undefined
  const amount = values.amount === undefined || values.amount === '' ? '' : ` Amount: ${values.amount}.`
  return { title: `Send ${name}?`, action: `Send ${method}`, text: `${warning}${amount}` }
}

/** What the request will be refused for. */
function CredentialAdvice({ operation, credentials }: { operation: PublicOperation; credentials: Credentials }) {
  if (operation.credentials.length === 0) return <p className="hint">Needs no credentials: sent without the key.</p>
  const missing = [
    ...(credentials.secret === '' ? ['the secret'] : []),
    ...(operation.needsTicket && credentials.ticket === '' ? ['a ticket'] : []),
  ]
  return missing.length === 0 ? null : <p className="hint">Needs {missing.join(' and ')}, above.</p>
}

type FieldsProps = { operation: PublicOperation; values: Values; onChange: (values: Values) => void }

function Fields({ operation: { parameters }, values, onChange }: FieldsProps) {
  if (parameters.length === 0) return <p className="quiet">No parameters</p>
  return (
    <div className={styles.fields}>
      {parameters.map(({ name, from, required, description, choices, isSecret, example }) => {
        const shared = {
          label: `${name} (${from}${required ? ', required' : ''})`,
          value: values[name] ?? '',
          onChange: (value: string) => onChange({ ...values, [name]: value }),
        }
        const options = ['', ...(choices ?? [])].map((value) => ({ value, label: value === '' ? 'not sent' : value }))
        return choices !== null ? (
          <SelectField key={name} {...shared} options={options} />
        ) : (
          <TextField
            key={name}
            {...shared}
            hint={description}
            type={isSecret ? 'password' : 'text'}
            placeholder={example}
            autoComplete="off"
            spellCheck={false}
          />
        )
      })}
    </div>
  )
}

function FormatField({ value, onChange }: { value: Format; onChange: (value: Format) => void }) {
  return (
    <fieldset>
      <legend>Format of the answer</legend>
      <div className="buttons">
        {(['json', 'xml'] as const).map((format) => (
          <label key={format} className="check">
            <input type="radio" name="accept" checked={value === format} onChange={() => onChange(format)} />
            {format.toUpperCase()}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Without the secret, which no command line should have in its history. */
function curlOf({ operation, origin, credentials }: TryFormProps, values: Values, accept: Format): string {
  const { apiKey, secret, ticket } = credentials
  const all = { 'who-apiKey': apiKey, 'who-secret': secret === '' ? '' : 'YOUR_SECRET', 'who-ticket': ticket }
  const own = operation.credentials.map((name) => [name, all[name]] as const).filter(([, value]) => value !== '')
  const headers = operation.hasFormats ? [['accept', `application/${accept}`] as const, ...own] : own
  const fields = operation.parameters.map(({ name, from }) => ({ name, from, value: values[name] ?? '' }))
  return curlLine(buildRequest(operation, fields, headers), origin, operation.picture ?? '')
}

function Answer({ apiKey, answer }: { apiKey: string; answer: TriedAnswer }) {
  const { status, ms, body, isCut, headers, requestId } = answer
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? ''
  const fault = faultOf(body)
  return (
    <section className="card" aria-labelledby="answer">
      <header>
        <h2 id="answer">Answer</h2>
        <a className="button" href={requestLink(apiKey, requestId)}>
          Open in the request log
        </a>
      </header>
      <p role="status">
        <Badge look={status >= 500 ? 'bad' : status >= 400 || fault !== null ? 'warn' : 'good'}>{status}</Badge>{' '}
        {fault !== null && <strong>{fault} </strong>}
        <span className="quiet">{ms} ms</span>
      </p>
      {body === '' ? (
        <p className="quiet">No body</p>
      ) : (
        <TextBlock title={isCut ? 'Beginning of the body' : 'Body'}>{prettyBody(body, languageOf(type))}</TextBlock>
      )}
      <TextBlock title="Headers">{headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</TextBlock>
    </section>
  )
}
