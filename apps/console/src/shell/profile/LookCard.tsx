import { Form, Select } from 'antd'
import { densities, languageCodes, sidebars, widths } from '@outpost/contract/looks'
import type { Preferences } from '@outpost/contract/preferences'
import { locales } from '../../languages/locales.ts'
import { getLanguage, t } from '../../session/labels.ts'
import { changePreferences } from '../../session/personal.ts'

const sidebarLabels = { light: 'Light', dark: 'Dark', colored: 'Colored', compact: 'Compact', icon: 'Icons only' } as const
const widthLabels = { fluid: 'Whole window', boxed: 'Boxed' } as const
const densityLabels = { comfortable: 'Roomy', medium: 'Medium', compact: 'Compact' } as const

/** How the console speaks and looks for the user, on every device; each choice counts at once. */
export function LookCard({ preferences }: { preferences: Preferences }) {
  const { sidebar = 'light', width = 'fluid', density = 'medium' } = preferences
  const options = <Value extends string>(values: readonly Value[], labels: Readonly<Record<Value, string>>) =>
    values.map((value) => ({ value, label: t(labels[value]) }))
  return (
    <section className="o-card" aria-labelledby="profile-look">
      <h2 id="profile-look">{t('Language and look')}</h2>
      <p>{t('Kept with your user: every device you sign in on follows.')}</p>
      <Form noValidate component="div" layout="vertical" className="o-look">
        <Form.Item label={t('Language')} htmlFor="look-language">
          <Select
            id="look-language"
            value={getLanguage()}
            options={languageCodes.map((value) => ({ value, label: <span lang={value}>{locales[value].name}</span> }))}
            onChange={(language) => void changePreferences({ language: language as (typeof languageCodes)[number] })}
          />
        </Form.Item>
        <Form.Item label={t('Menu')} htmlFor="look-sidebar">
          <Select
            id="look-sidebar"
            value={sidebar}
            options={options(sidebars, sidebarLabels)}
            onChange={(next) => void changePreferences({ sidebar: next })}
          />
        </Form.Item>
        <Form.Item label={t('Width of the page')} htmlFor="look-width">
          <Select
            id="look-width"
            value={width}
            options={options(widths, widthLabels)}
            onChange={(next) => void changePreferences({ width: next })}
          />
        </Form.Item>
        <Form.Item label={t('Lists')} htmlFor="look-density">
          <Select
            id="look-density"
            value={density}
            options={options(densities, densityLabels)}
            onChange={(next) => void changePreferences({ density: next })}
          />
        </Form.Item>
      </Form>
    </section>
  )
}
