// The script of the public reference: credentials, curl or TypeScript, and XML or JSON.

import { all, byId, fieldsOf, highlight, root, startPage, tryForms } from './common.js'
import { sendRequest } from './send.js'
import { buildRequest, clientCall, curlLine, publicHeaders } from './shared.js'

// ---- Settings: credentials until the tab closes, choices of what to show for longer. A browser may refuse to store them: they then
// last until the page is left.

const TAB = 'sessionStorage'
const BROWSER = 'localStorage'

/** null: nothing is stored. */
function readSetting(storage, key) {
  try {
    return window[storage].getItem(`paddock.${key}`)
  } catch {
    return null
  }
}

function saveSetting(storage, key, value) {
  try {
    window[storage].setItem(`paddock.${key}`, value)
  } catch {}
}

// ---- Credentials.

const CREDENTIALS = ['key', 'secret', 'ticket']
const credentialsForm = byId('credentials-form')
const sandbox = byId('use-sandbox').dataset

function credentials() {
  return Object.fromEntries(CREDENTIALS.map((name) => [name, credentialsForm.elements[name].value.trim()]))
}

function setCredentials(values, status) {
  for (const name of CREDENTIALS) credentialsForm.elements[name].value = values[name] ?? ''
  byId('credentials-status').textContent = status
  credentialsChanged()
}

function credentialsChanged() {
  const now = credentials()
  for (const name of CREDENTIALS) saveSetting(TAB, name, now[name])
  const application = now.key === '' ? 'without a key' : `as ${now.key}`
  for (const form of tryForms) {
    const { ticket } = form.dataset
    const customer = ticket === 'none' ? '' : now.ticket === '' ? ', without a ticket' : ', with your ticket'
    const link = Object.assign(document.createElement('a'), { href: '#credentials', textContent: 'Change' })
    const sentAs = ticket === 'anyone' ? ['Sent without credentials.'] : [`Sent ${application}${customer}. `, link]
    form.querySelector('.sent-as').replaceChildren(...sentAs)
    showRequest(form)
  }
}

// ---- XML or JSON, and curl or TypeScript, for the whole page at once.

function setRepresentation(as) {
  root.dataset.as = as
  saveSetting(BROWSER, 'as', as)
  press('.switch button', 'as', as)
  for (const form of tryForms) {
    form.elements.accept.value = as
    showRequest(form)
  }
}

/** Keeps the place of the button that was pressed: the samples above it change their height. */
function setLanguage(language, button) {
  const before = button?.getBoundingClientRect().top
  root.dataset.language = language
  saveSetting(BROWSER, 'language', language)
  press('.languages button', 'language', language)
  if (button !== undefined) scrollBy(0, button.getBoundingClientRect().top - before)
}

function press(buttons, key, value) {
  for (const button of all(buttons)) button.setAttribute('aria-pressed', String(button.dataset[key] === value))
}

// ---- Requests.

function requestOf(form, { as, examples }) {
  const { method, path, ticket } = form.dataset
  const headers = publicHeaders(as, ticket, `application/${form.elements.accept.value}`)
  return buildRequest({ method, path }, fieldsOf(form, examples), headers)
}

/** Shows the sandbox's credentials until the reader enters some. The reader's secret is copied but not shown. */
function curlOf(form, shown) {
  const own = credentials()
  const as = own.key === '' && own.secret === '' && own.ticket === '' ? sandbox : own
  const masked = shown && as.secret !== '' && as.secret !== sandbox.secret ? { ...as, secret: '••••••••' } : as
  return curlLine(requestOf(form, { as: masked, examples: true }), location.origin, pictureName(form))
}

/** '': the request has no picture. */
function pictureName(form) {
  const { picture } = form.elements
  return picture === undefined ? '' : (picture.files[0]?.name ?? picture.dataset.default)
}

function showRequest(form) {
  byId(form.dataset.curl).firstElementChild.textContent = curlOf(form, true)
  const call = clientCall(form.dataset, fieldsOf(form, true), location.origin, pictureName(form))
  highlight(byId(form.dataset.typescript).firstElementChild, call, 'typescript')
}

function send(form) {
  const request = requestOf(form, { as: credentials(), examples: false })
  const { picture } = form.elements
  const body = () => (picture === undefined ? request.body || undefined : pictureOf(picture))
  return sendRequest(form, request, body, faultOf)
}

/** The chosen picture, or the service's default picture. */
async function pictureOf({ files, dataset }) {
  return files[0] ?? (await fetch(dataset.default)).blob()
}

/** The fault as text; null if the response is none. A wallet's fault has HTTP status 200: the body decides. */
function faultOf(text) {
  if (!/^(<[?][^>]*>\s*<|{")whoFaults/.test(text)) return null
  const code = /faultCode(?:>|":")([^<"]*)/.exec(text)?.[1]
  const words = /faultString(?:>|":")([^<"]*)/.exec(text)?.[1]
  return `Fault ${code}: ${words}`
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('button')
  if (button?.matches('.switch button')) setRepresentation(button.dataset.as)
  else if (button?.matches('.languages button')) setLanguage(button.dataset.language, button)
  else if (button?.id === 'use-sandbox') setCredentials(sandbox, 'Sandbox credentials set.')
  else if (button?.id === 'clear-credentials') setCredentials({}, 'Credentials cleared.')
})

document.addEventListener('input', ({ target }) => {
  if (target.form === credentialsForm) credentialsChanged()
  else if (target.name === 'accept') setRepresentation(target.value)
  else if (tryForms.includes(target.form)) showRequest(target.form)
})

const defaults = credentialsForm.dataset.sandbox === 'yes' ? sandbox : {}
setCredentials(Object.fromEntries(CREDENTIALS.map((name) => [name, readSetting(TAB, name) ?? defaults[name]])), '')
setRepresentation(readSetting(BROWSER, 'as') === 'json' ? 'json' : 'xml')
setLanguage(readSetting(BROWSER, 'language') === 'typescript' ? 'typescript' : 'curl')
startPage({ copied: (form) => curlOf(form, false), sent: send })
