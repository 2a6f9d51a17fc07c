import { useState } from 'react'
import type { ModerationSettings, ModerationSettingsBody } from '../../../src/operator/api-types.ts'
import { useResource } from '../api/resource.ts'
import { ScreenHeader } from '../parts/basics.tsx'
import { useCall } from '../parts/call.ts'
import { useDraft } from '../parts/drafts.ts'
import { Field, TextField } from '../parts/fields.tsx'
import { useNotice } from '../parts/notices.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { SaveOrDiscard } from '../parts/save-or-discard.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import styles from './moderation-settings-screen.module.css'

/** What admins set up for moderators. */
export function ModerationSettingsScreen() {
  const settings = useResource('readModerationSettings')
  return (
    <>
      <ScreenHeader title="Moderation settings" />
      <p className="lead">
        Labels that moderators choose from, groups that an item can be escalated to, and rules that hold new tips until
        a moderator has looked at them.
      </p>
      <ResourceView resource={settings}>{(answer) => <SettingsForm settings={answer} />}</ResourceView>
    </>
  )
}

function SettingsForm({ settings }: { settings: ModerationSettings }) {
  const canWrite = usePermission()('replaceModerationSettings')
  const { edited, change, save, discard, isChanged, busy, refusal } = useSettingsDraft(settings)
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className="columns">
        <LinesField
          label="Labels"
          hint="One per line: small letters, digits and hyphens."
          value={edited.labels}
          onChange={(labels) => change({ labels })}
          readOnly={!canWrite}
        />
        <LinesField
          label="Groups"
          hint="One per line: its name, a colon, and its members, separated by commas. Members are names of tokens or people."
          value={edited.groups}
          onChange={(groups) => change({ groups })}
          readOnly={!canWrite}
        />
      </div>
      <Rules edited={edited} onChange={change} readOnly={!canWrite} />
      <SaveOrDiscard what="settings" {...{ refusal, isChanged, busy, discard, canWrite }} />
    </form>
  )
}

type RulesProps = { edited: Edited; onChange: (changes: Partial<Edited>) => void; readOnly: boolean }

/** An empty field: there is no such rule. */
function Rules({ edited, onChange, readOnly }: RulesProps) {
  const number = (label: string, field: 'newerThanDays' | 'tips' | 'minutes', max: number) => (
    <TextField
      label={label}
      type="number"
      min={1}
      max={max}
      value={edited[field]}
      onChange={(value) => onChange({ [field]: value })}
      readOnly={readOnly}
    />
  )
  return (
    <fieldset className={styles.rules}>
      <legend>Hold new tips</legend>
      <p className="hint">
        Nobody sees a held tip until a moderator publishes it. An empty field: there is no such rule. The audit trail
        says which rule held a tip, and why.
      </p>
      <div className="columns">
        {number('With a link, of profiles newer than (days)', 'newerThanDays', 3650)}
        {number('Of a profile with so many tips', 'tips', 1000)}
        {number('within (minutes)', 'minutes', 1440)}
      </div>
      <LinesField
        label="With one of these words"
        hint="One word or phrase per line."
        value={edited.words}
        onChange={(words) => onChange({ words })}
        readOnly={readOnly}
      />
    </fieldset>
  )
}

type LinesFieldProps = {
  label: string
  hint: string
  value: string
  onChange: (value: string) => void
  readOnly: boolean
}

function LinesField({ label, hint, value, onChange, readOnly }: LinesFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <textarea
          {...ids}
          rows={8}
          value={value}
          readOnly={readOnly}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** Each list as lines. */
type Edited = {
  version: number
  labels: string
  groups: string
  newerThanDays: string
  tips: string
  minutes: string
  words: string
}

/** One draft of this tab, with the version that it is based on. */
function useSettingsDraft(settings: ModerationSettings) {
  const { api } = useSession()
  const notify = useNotice()
  const [saved, setSaved] = useState(() => toEdited(settings))
  const draft = useDraft('moderation settings', JSON.stringify(saved))
  const { busy, refusal, run } = useCall((work: () => Promise<void>) => work())
  const edited: Edited = JSON.parse(draft.text)
  return {
    edited,
    isChanged: draft.isChanged,
    busy,
    refusal,
    change: (changes: Partial<Edited>) => draft.set(JSON.stringify({ ...edited, ...changes })),
    save: () =>
      run(async () => {
        setSaved(toEdited(await api('replaceModerationSettings', { body: toBody(edited) })))
        draft.discard()
        notify('Settings saved.')
      }),
    discard() {
      draft.discard()
      run(async () => setSaved(toEdited(await api('readModerationSettings'))))
    },
  }
}

function toEdited({ version, labels, groups, rules: { links, words, rate } }: ModerationSettings): Edited {
  return {
    version,
    labels: labels.join('\n'),
    groups: groups.map(({ name, members }) => `${name}: ${members.join(', ')}`).join('\n'),
    newerThanDays: String(links?.newerThanDays ?? ''),
    tips: String(rate?.tips ?? ''),
    minutes: String(rate?.minutes ?? ''),
    words: words.join('\n'),
  }
}

function toBody({ version, labels, groups, newerThanDays, tips, minutes, words }: Edited): ModerationSettingsBody {
  return {
    version,
    labels: partsOf(labels, '\n'),
    groups: partsOf(groups, '\n').map(toGroup),
    rules: {
      links: newerThanDays === '' ? null : { newerThanDays: Number(newerThanDays) },
      words: partsOf(words, '\n'),
      rate: tips === '' || minutes === '' ? null : { tips: Number(tips), minutes: Number(minutes) },
    },
  }
}

function toGroup(line: string) {
  const [name = '', ...members] = line.split(':')
  return { name: name.trim(), members: partsOf(members.join(':'), ',') }
}

function partsOf(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
