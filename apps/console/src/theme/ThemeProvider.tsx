import { ConfigProvider } from 'antd'
import enGB from 'antd/locale/en_GB'
import { useEffect, useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import { onLanguage } from '../session/labels.ts'
import { antdLocale } from '../session/language.ts'
import type { ReactNode } from 'react'
import { antdTheme } from './antd-theme.ts'
import { useTheme } from './brand.ts'
import { paletteOf } from '@outpost/rules/theme/palette'
import { followSystemScheme, useScheme } from './scheme.ts'
import { useReducedMotion } from './motion.ts'
import type { Scheme, Theme } from '@outpost/rules/theme/themes'

/** Applies the host's theme, in the company's colour, to the console: antd's tokens, and the same palette as --o-* variables for our own CSS. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const scheme = useScheme()
  const theme = useTheme()
  const isStill = useReducedMotion()
  const locale = useSyncExternalStore(onLanguage, antdLocale) ?? enGB
  const config = useMemo(() => {
    const base = antdTheme(theme, scheme)
    return isStill ? { ...base, token: { ...base.token, motion: false } } : base
  }, [theme, scheme, isStill])
  useLayoutEffect(() => paint(theme, scheme), [theme, scheme])
  useEffect(followSystemScheme, [])
  return (
    <ConfigProvider theme={config} locale={locale} button={{ autoInsertSpace: false }} form={{ requiredMark: true }}>
      {children}
    </ConfigProvider>
  )
}

function paint(theme: Theme, scheme: Scheme): void {
  const root = document.documentElement
  const palette = paletteOf(theme, scheme)
  root.dataset.scheme = scheme
  root.dataset.brand = theme.key
  root.style.colorScheme = scheme
  root.style.backgroundColor = palette.page
  for (const [name, colour] of Object.entries(palette)) {
    root.style.setProperty(`--o-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, colour)
  }
}
