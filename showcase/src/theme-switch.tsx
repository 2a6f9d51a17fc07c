import { useEffect, useState } from 'react'
import { Icon } from '../../web/icons.tsx'
import { STORED_THEME } from './stored.ts'

type Theme = 'light' | 'dark'
const query = matchMedia('(prefers-color-scheme: dark)')

/** As the system has it, until somebody chooses. */
function useTheme(): [Theme, (theme: Theme) => void] {
  const [system, setSystem] = useState<Theme>(query.matches ? 'dark' : 'light')
  const [chosen, setChosen] = useState(() => localStorage.getItem(STORED_THEME) as Theme | null)
  useEffect(() => {
    const changed = () => setSystem(query.matches ? 'dark' : 'light')
    query.addEventListener('change', changed)
    return () => query.removeEventListener('change', changed)
  }, [])
  useEffect(() => {
    if (chosen !== null) document.documentElement.dataset.theme = chosen
  }, [chosen])
  const choose = (theme: Theme) => {
    localStorage.setItem(STORED_THEME, theme)
    setChosen(theme)
  }
  return [chosen ?? system, choose]
}

export function ThemeSwitch() {
  const [theme, choose] = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <button
      type="button"
      className="bare"
      aria-label={`Use ${other} colours`}
      title={`Use ${other} colours`}
      onClick={() => choose(other)}
    >
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </button>
  )
}
