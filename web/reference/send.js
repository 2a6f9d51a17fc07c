// Sends the request of a form, and shows the answer below it.

import { faultOf, languageOf, prettyBody } from './request.js'
import { highlight } from './samples.js'

export async function sendRequest(form, { method, address, headers }, body) {
  const outcome = form.querySelector('.outcome')
  const button = form.querySelector('[type=submit]')
  outcome.className = 'outcome'
  outcome.textContent = 'Sending…'
  button.disabled = true
  const start = performance.now()
  try {
    const options = { method, headers, body: await body(), cache: 'no-store', credentials: 'omit' }
    const response = await fetch(address, options)
    const text = isStream(response) ? await firstEvent(response) : await response.text()
    const milliseconds = performance.now() - start
    showAnswer(form, { response, text, milliseconds, refusal: faultOf(text) ?? problemOf(text) })
  } catch (error) {
    form.querySelector('.result').hidden = true
    outcome.classList.add('bad')
    outcome.textContent = `No response: ${error.message}`
  } finally {
    button.disabled = false
  }
}

function isStream({ headers }) {
  return (headers.get('content-type') ?? '').startsWith('text/event-stream')
}

/** A stream does not end: shows its beginning, up to the first event. */
async function firstEvent({ body }) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!/^data:.*\n\n/m.test(text)) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return text
}

/** The title and the detail of a problem; null if the response is none. */
function problemOf(text) {
  try {
    const { title, detail, status } = JSON.parse(text)
    return status >= 400 && detail !== undefined ? `${title}: ${detail}` : null
  } catch {
    return null
  }
}

function showAnswer(form, { response, text, milliseconds, refusal }) {
  const outcome = form.querySelector('.outcome')
  const size = text === '' ? 'no body' : `${new TextEncoder().encode(text).length} bytes`
  const status = refusal === null ? `${response.status} ${response.statusText}` : `${refusal} · HTTP ${response.status}`
  outcome.classList.add(response.ok && refusal === null ? 'good' : 'bad')
  outcome.textContent = `${status} · ${Math.round(milliseconds)} ms · ${size}`
  form.querySelector('.headers').textContent = [...response.headers].map((pair) => pair.join(': ')).join('\n')
  const body = form.querySelector('.body')
  const language = languageOf(response.headers.get('content-type') ?? '')
  body.hidden = text === ''
  highlight(body.firstElementChild, prettyBody(text, language), language)
  form.querySelector('.result').hidden = false
}
