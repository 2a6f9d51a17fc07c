import { type Probe, part, sentence } from './probe.ts'

const { good, warning, critical } = part('settings', 'Settings')

export const settings: Probe = {
  name: 'settings',
  title: 'Settings',
  run({ config, settingProblems }) {
    const mistakes = settingProblems.map((problem) =>
      critical(sentence(problem), 'A start refuses this. Correct it in the environment or in .env.'),
    )
    const unknown = config.unknownSettings.map((one) =>
      warning(sentence(one), 'Nothing reads it. Correct its name, or remove it (.env.example lists all settings).'),
    )
    const all = [...mistakes, ...unknown]
    return all.length > 0 ? all : [good(`MODE=${config.mode}, and a start accepts all of them.`)]
  },
}
