// The script of the operator's reference: the token, and the question before a request changes something.

import { byId, fieldsOf, startPage, tryForms } from './common.js'
import { sendRequest } from './send.js'
import { buildRequest, curlLine, TOKEN_VARIABLE } from './shared.js'

// ---- The token. It stays in its field: nothing is stored.

const tokenField = byId('token')

function tokenChanged() {
  const text = tokenField.value.trim() === '' ? 'Sent without a token. ' : 'Sent with your token. '
  for (const form of tryForms) {
    const link = Object.assign(document.createElement('a'), { href: '#credentials', textContent: 'Change' })
    form.querySelector('.sent-as').replaceChildren(text, link)
  }
}

function clearToken() {
  tokenField.value = ''
  byId('token-status').textContent = 'Token cleared.'
  tokenChanged()
}

// ---- Requests.

function requestOf(form, authorization, examples) {
  const { method, path } = form.dataset
  const headers = authorization === '' ? [] : [['authorization', authorization]]
  return buildRequest({ method, path }, fieldsOf(form, examples), headers)
}

function curlOf(form) {
  return curlLine(requestOf(form, TOKEN_VARIABLE, true), location.origin, '')
}

function showCurl(form) {
  byId(form.dataset.curl).firstElementChild.textContent = curlOf(form)
}

async function send(form) {
  const token = tokenField.value.trim()
  const request = requestOf(form, token === '' ? '' : `Bearer ${token}`, false)
  if (request.method !== 'GET' && !(await isConfirmed(request))) return
  await sendRequest(form, request, () => request.body || undefined, problemOf)
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

// ---- The question.

const dialog = byId('confirmation')

function isConfirmed({ method, address }) {
  byId('confirmation-request').textContent = `${method} ${address}`
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'send'), { once: true })
  })
}

byId('confirm-request').addEventListener('click', () => dialog.close('send'))
byId('cancel-request').addEventListener('click', () => dialog.close())
byId('clear-token').addEventListener('click', clearToken)

document.addEventListener('click', ({ target }) => {
  if (!target.matches('.use-example')) return
  const field = byId(target.dataset.fills)
  field.value = field.dataset.example
  showCurl(field.form)
})

document.addEventListener('input', ({ target }) => {
  if (target === tokenField) tokenChanged()
  else if (tryForms.includes(target.form)) showCurl(target.form)
})

tokenChanged()
for (const form of tryForms) showCurl(form)
startPage({ copied: curlOf, sent: send })
