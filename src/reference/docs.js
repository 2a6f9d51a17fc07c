// The script of the public reference: credentials, and XML or JSON.

import { all, byId, fieldsOf, root, startPage, tryForms } from './common.js'
import { sendRequest } from './send.js'
import { buildRequest, curlLine, publicHeaders } from './shared.js'

// ---- Settings of this tab. A browser may refuse to store them: they then last until the page is left.

/** null: nothing is stored. */
function readSetting(key) {
  try {
    return sessionStorage.getItem(`paddock.${key}`)
  } catch {
    return null
  }
}

function saveSetting(key, value) {
  try {
    sessionStorage.setItem(`paddock.${key}`, value)
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
  for (const name of CREDENTIALS) saveSetting(name, now[name])
  const application = now.key === '' ? 'without a key' : `as ${now.key}`
  for (const form of tryForms) {
    const { ticket } = form.dataset
    const customer = ticket === 'none' ? '' : now.ticket === '' ? ', without a ticket' : ', with your ticket'
    const link = Object.assign(document.createElement('a'), { href: '#credentials', textContent: 'Change' })
    const sentAs = ticket === 'anyone' ? ['Sent without credentials.'] : [`Sent ${application}${customer}. `, link]
    form.querySelector('.sent-as').replaceChildren(...sentAs)
    showCurl(form)
  }
}

// ---- XML or JSON, for the whole page at once.

function setRepresentation(as) {
  root.dataset.as = as
  saveSetting('as', as)
  for (const button of all('.switch button')) button.setAttribute('aria-pressed', String(button.dataset.as === as))
  for (const form of tryForms) {
    form.elements.accept.value = as
    showCurl(form)
  }
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
  const { picture } = form.elements
  const file = picture === undefined ? '' : (picture.files[0]?.name ?? picture.dataset.default)
  return curlLine(requestOf(form, { as: masked, examples: true }), location.origin, file)
}

function showCurl(form) {
  byId(form.dataset.curl).firstElementChild.textContent = curlOf(form, true)
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
  const field = (name) => new RegExp(`${name}(?:>|":")([^<"]*)`).exec(text)?.[1]
  return `Fault ${field('faultCode')}: ${field('faultString')}`
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('button')
  if (button?.matches('.switch button')) setRepresentation(button.dataset.as)
  else if (button?.id === 'use-sandbox') setCredentials(sandbox, 'Sandbox credentials set.')
  else if (button?.id === 'clear-credentials') setCredentials({}, 'Credentials cleared.')
})

document.addEventListener('input', ({ target }) => {
  if (target.form === credentialsForm) credentialsChanged()
  else if (target.name === 'accept') setRepresentation(target.value)
  else if (tryForms.includes(target.form)) showCurl(target.form)
})

const defaults = credentialsForm.dataset.sandbox === 'yes' ? sandbox : {}
setCredentials(Object.fromEntries(CREDENTIALS.map((name) => [name, readSetting(name) ?? defaults[name]])), '')
setRepresentation(readSetting('as') === 'json' ? 'json' : 'xml')
startPage({ copied: (form) => curlOf(form, false), sent: send })
