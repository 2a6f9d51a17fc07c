// The reader's credentials, in a dialog of every page. Those of the public API are stored until the tab closes; an operator token
// stays in its field.

import { all, byId, readSetting, saveSetting } from './dom.js'

const dialog = byId('credentials')
const form = byId('credentials-form')
const fields = all('input', form)
const isStored = form.dataset.until === 'tab'

/** The headers of a request, of those that it reads. `use`: they are sent, copied with a command, or shown in one. */
export function credentialHeaders(names, use) {
  const entered = fields.filter(({ value }) => value.trim() !== '')
  return fields.flatMap((field) => {
    const { name, dataset } = field
    if (!names.includes(name)) return []
    // Samples have those of the sandbox until the reader enters some. A token is in no sample.
    const isSample = use !== 'send' && (entered.length === 0 || dataset.shown === 'never')
    if (isSample) return [[name, dataset.sample]]
    if (!entered.includes(field)) return []
    const value = field.value.trim()
    const isHidden = use === 'show' && dataset.shown === 'masked' && value !== dataset.sample
    return [[name, isHidden ? '••••••••' : dataset.prefix + value]]
  })
}

/** In words, of those that a request reads. */
function sentWords(names) {
  if (names.length === 0) return 'Sent without credentials.'
  const labels = fields
    .filter(({ name, value }) => names.includes(name) && value.trim() !== '')
    .map(({ labels: [label] }) => label.textContent)
  return labels.length === 0 ? 'Sent without your credentials.' : `Sent with: ${labels.join(', ')}.`
}

export function showCredentials() {
  for (const place of all('.sent-as')) {
    const { headers } = place.closest('form')?.dataset ?? { headers: fields.map(({ name }) => name).join(' ') }
    place.textContent = sentWords(headers.split(' ').filter((name) => name !== ''))
  }
}

/** The console's "Try it" has put the key of an application into the address. The secret is another one's then. */
function takeKey(fill) {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return
  history.replaceState(null, '', location.pathname)
  const [own, secret] = ['who-apiKey', 'who-secret'].map((name) => form.elements[name])
  if (own.value !== key) fill((field) => (field === own ? key : field === secret ? '' : field.value), '')
  if (secret.value !== '') return
  byId('credentials-status').textContent = 'Enter the secret of this application.'
  dialog.showModal()
  secret.focus()
}

/** `changed` is called after every change. */
export function startCredentials(changed) {
  const fill = (value, status) => {
    for (const field of fields) field.value = value(field)
    byId('credentials-status').textContent = status
    update()
  }
  const update = () => {
    if (isStored) for (const { name, value } of fields) saveSetting('sessionStorage', name, value.trim())
    showCredentials()
    changed()
  }
  const sandboxValue = ({ dataset }) => dataset.sample
  form.addEventListener('input', update)
  byId('clear-credentials').addEventListener('click', () => fill(() => '', 'Cleared.'))
  byId('use-sandbox')?.addEventListener('click', () => fill(sandboxValue, 'Sandbox credentials set.'))
  document.addEventListener('click', ({ target }) => {
    if (target.closest('button.credentials')) dialog.showModal()
  })
  const preset = form.dataset.sandbox === 'yes' ? sandboxValue : () => ''
  if (!isStored) return
  fill((field) => readSetting('sessionStorage', field.name) ?? preset(field), '')
  takeKey(fill)
}
