import type { FieldView, Option } from '@outpost/contract/fields'
import type { SettingItem, SettingsData, SettingsSection, SettingsSource } from '@outpost/contract/settings'
import { reaches } from '../../kernel/session/reach.ts'
import type { Calls, Ctx } from '../../kernel/types.ts'
import { settingLevels, type AnySetting } from '../../kernel/settings/define.ts'
import { choosesForGroup, placesOf } from './place.ts'
import { tenant } from '../tenants/index.ts'
import { linkedSettings } from './settings.links.ts'
import { countries, currencies, timeZones } from './settings.options.ts'

type Chosen = keyof typeof tenant.fields
type More = Pick<SettingItem, 'unit' | 'standard'>

/** A setting that is a column of the company's own row: kind and limits are the tenant's. */
function ofCompany(key: Chosen, label: string, help: string, more: More = {}): SettingItem {
  const { kind, required, min, max, maxLength } = tenant.fields[key] as FieldView
  return {
    key,
    label,
    help,
    source: 'company',
    field: {
      key,
      kind,
      label,
      ...(required ? { required } : {}),
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
      ...(maxLength === undefined ? {} : { maxLength }),
    },
    ...more,
  }
}

/** A setting that an area declares: each tenant down to its level may have a value of its own. */
const ofValues = (setting: AnySetting, mayAll: boolean): SettingItem & { section: string } => {
  const { name, section, label, help, level } = setting
  const common = { section, key: name, label, help, source: 'values', level: settingLevels[level] }
  if ('min' in setting) {
    const { unit, min, max } = setting
    const readOnly = setting.chosenBy === 'group' && !mayAll ? { readOnly: true } : {}
    return { ...common, unit, field: { key: name, kind: 'number', label, min, max, ...readOnly } }
  }
  // Sent by a call of its own, at once.
  if (setting.kind === 'picture') return { ...common, field: { key: name, kind: 'image', label, readOnly: true } }
  const { kind, options } = setting
  return { ...common, field: { key: name, kind, label, ...(options ? { options: [...options] } : {}) } }
}

/** One that takes a code, chosen by its name. */
const chosenOf = (options: readonly Option[], item: SettingItem): SettingItem => ({
  ...item,
  ...(item.field ? { field: { key: item.field.key, kind: 'choice', label: item.field.label, required: true, options: [...options] } } : {}),
})

const ofTracking = (field: FieldView, help: string, more: More = {}): SettingItem => ({
  key: field.key,
  label: field.label,
  help,
  source: 'tracking',
  field,
  ...more,
})
const days = { kind: 'number', min: 0, max: 3_660 } as const
const tripRules = [
  { value: 'arrival', label: 'Outpost: by arrival' },
  { value: 'traccar', label: 'Traccar up to 5' },
  { value: 'traccar6', label: 'Traccar 6' },
]

/** Sections and their items, in their order; links, facts and sources are cut to the caller. */
const sections: readonly SettingsSection[] = [
  {
    key: 'company',
    title: 'Company',
    about: 'How your company is called and reached.',
    items: [
      ofCompany('name', 'Name', 'Shown on PDFs, consent pages and e-mails, and in the head of the console.'),
      ofCompany('shortCode', 'Short code', 'Shown in brackets behind what belongs to another branch or company.'),
      ofCompany('phone', 'Phone', 'The company’s own number, as colleagues look it up.'),
      ofCompany('emailAddress', 'E-mail', 'The company’s own address, as colleagues look it up.'),
      ofCompany('address', 'Address', 'The postal address, as colleagues look it up.'),
    ],
  },
  {
    key: 'region',
    title: 'Country and time',
    about: 'What numbers, days and laws are read by.',
    items: [
      chosenOf(
        countries,
        ofCompany('country', 'Country', 'Says which phone numbers are valid and whose lending law the calculators keep.'),
      ),
      chosenOf(currencies, ofCompany('currency', 'Currency', 'Every amount is shown in it. Amounts already entered are not converted.')),
      chosenOf(timeZones, ofCompany('timeZone', 'Time zone', 'Says when a day begins and ends in lists, targets and reports.')),
    ],
  },
  { key: 'formats', title: 'Formats', about: 'How days, numbers and amounts are written.', items: [] },
  { key: 'look', title: 'Colour and logo', about: 'How the console and what you send looks to your people and clients.', items: [] },
  {
    key: 'field',
    title: 'Work in the field',
    about: 'How officers work on their day, and the words they choose from.',
    items: [],
  },
  {
    key: 'credit',
    title: 'Leads and credit',
    about: 'What holds between a new lead and a decision.',
    items: [
      ofCompany('assessmentDays', 'Assessments hold for', 'A decision asks for an affordability assessment that is no older than this.', {
        unit: 'days',
        standard: { value: null, words: '90 days' },
      }),
    ],
  },
  {
    key: 'tracking',
    title: 'Tracking',
    about: 'How trips are told, and how long it is kept where vehicles and people were.',
    items: [
      ofTracking(
        { key: 'tripRule', kind: 'choice', label: 'Trips are told by', required: true, options: tripRules },
        'Outpost’s rule ends a trip where the vehicle arrives. Traccar’s show the numbers you had before moving over.',
        { standard: { value: 'arrival', words: 'Outpost: by arrival' } },
      ),
      ofTracking({ key: 'keepDays', label: 'Keep positions for', ...days }, 'Older positions are deleted; 0 keeps them for ever.', {
        unit: 'days',
        standard: { value: null, words: 'as the installation has it' },
      }),
      ofTracking(
        { key: 'keepTripDays', label: 'Keep trips and events for', ...days },
        'Not shorter than positions are kept; 0 keeps them for ever.',
        { unit: 'days', standard: { value: null, words: 'for ever' } },
      ),
    ],
  },
  { key: 'people', title: 'People and access', about: 'Who may come in, what they may do, and how long a session lasts.', items: [] },
  { key: 'complaints', title: 'Complaints', about: 'How soon complaints are answered and settled.', items: [] },
  { key: 'news', title: 'Notifications', about: 'When news may disturb people.', items: [] },
  { key: 'limits', title: 'Limits', about: 'How much a person and the company may keep.', items: [] },
  { key: 'console', title: 'Console', about: 'The words the console speaks.', items: [] },
  { key: 'proof', title: 'Proof', about: 'That nobody changed what was written down.', items: [] },
  { key: 'own', title: 'Only yours', about: 'What holds for you and nobody else.', items: [] },
]

/** The settings that are fields of a record. */
export const itemsOfSource = (source: 'company' | 'tracking'): readonly SettingItem[] =>
  sections.flatMap(({ items }) => items.filter((item) => item.source === source))

export const settingsCalls = {
  company: 'tenants.get',
  saveCompany: 'tenants.update',
  tracking: 'geo.companySettings.get',
  saveTracking: 'geo.companySettings.update',
  values: 'config.values',
  saveValues: 'config.saveValues',
  history: 'config.valueHistory',
  saveLogo: 'config.saveLogo',
} as const

/** The settings home of the caller: each setting with its present value or with the record that holds it. Tracking is left out where no geo service is. */
export async function settingsOf(
  ctx: Ctx,
  { hasTracking, calls, chosen }: { hasTracking: boolean; calls: Calls<keyof typeof settingsCalls>; chosen: readonly AnySetting[] },
): Promise<Record<string, unknown> & SettingsData> {
  const sources = sourcesOf(ctx, calls).filter(({ key }) => hasTracking || key !== 'tracking')
  const known = new Set(sources.map(({ key }) => key))
  const more = [...(await linkedSettings(ctx)), ...chosen.map((setting) => ofValues(setting, choosesForGroup(ctx)))]
  const shown = sections.map((section) => ({
    ...section,
    items: [
      ...section.items.filter(({ source }) => source === undefined || known.has(source)),
      ...more.filter(({ section: key }) => key === section.key).map(({ section: _, ...item }) => item),
    ],
  }))
  const [first, ...places] = await placesOf(ctx)
  const start = [first, ...places].find((place) => place?.Id === ctx.company.id) ?? first
  return {
    sources,
    sections: shown.filter(({ items }) => items.length > 0),
    places: first ? [first, ...places] : [],
    ...(start ? { start: start.Id } : {}),
    ...(calls.history ? { history: calls.history } : {}),
    ...(calls.saveLogo ? { saveLogo: calls.saveLogo } : {}),
  }
}

/** The records behind the settings; who works in a part of the company only reads them. */
function sourcesOf(
  ctx: Ctx,
  { company, saveCompany, tracking, saveTracking, values, saveValues }: Calls<keyof typeof settingsCalls>,
): SettingsSource[] {
  const isWhole = reaches(ctx, ctx.company.id)
  return [
    ...(isWhole && company
      ? [
          {
            key: 'company',
            one: 'tenant',
            load: company,
            ...(saveCompany ? { save: saveCompany } : {}),
            isOfPlace: true,
          },
        ]
      : []),
    // The console fills in the tenant that is looked at.
    ...(values ? [{ key: 'values', one: 'settings', load: values, ...(saveValues ? { save: saveValues } : {}), isOfPlace: true }] : []),
    ...(tracking
      ? [{ key: 'tracking', one: 'settings', load: tracking, ...(saveTracking && ctx.scope === '*' ? { save: saveTracking } : {}) }]
      : []),
  ]
}
