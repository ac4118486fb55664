import dayjs from 'dayjs'
import { firstDayOfAll, lastDayOfAll } from '@outpost/rules/calendar/all-days'
import { weekStart } from '../../../../session/formats.ts'
import { dateShape } from '../../../formats.ts'

export interface Window {
  from: string
  to: string
}
export interface Preset {
  key: string
  label: string
  window: (today: dayjs.Dayjs) => { from: dayjs.Dayjs; to: dayjs.Dayjs }
}

const weekOf = (day: dayjs.Dayjs) => day.subtract((day.day() + 7 - weekStart()) % 7, 'day')

/** Windows offered with one click; a week starts on the company's first day. */
export const presets: Preset[] = [
  { key: 'today', label: 'Today', window: (today) => ({ from: today, to: today }) },
  { key: 'week', label: 'This week', window: (today) => ({ from: weekOf(today), to: weekOf(today).add(6, 'day') }) },
  { key: 'days7', label: 'Last 7 days', window: (today) => ({ from: today.subtract(6, 'day'), to: today }) },
  { key: 'days30', label: 'Last 30 days', window: (today) => ({ from: today.subtract(29, 'day'), to: today }) },
  { key: 'month', label: 'This month', window: (today) => ({ from: today.startOf('month'), to: today.endOf('month') }) },
  {
    key: 'lastMonth',
    label: 'Last month',
    window: (today) => ({ from: today.subtract(1, 'month').startOf('month'), to: today.subtract(1, 'month').endOf('month') }),
  },
  { key: 'year', label: 'This year', window: (today) => ({ from: today.startOf('year'), to: today.endOf('year') }) },
  { key: 'all', label: 'All time', window: (today) => ({ from: dayjs(firstDayOfAll), to: dayjs(lastDayOfAll(today.format(dateShape))) }) },
]

export function presetWindow(preset: Preset, today = dayjs()): Window {
  const { from, to } = preset.window(today)
  return { from: from.format(dateShape), to: to.format(dateShape) }
}

/** The window in words: a preset's name, the two days, or the server's own default. */
export function describeWindow(from: string | undefined, to: string | undefined, standard = 'Default period', today = dayjs()): string {
  if (!from && !to) return standard
  const preset = presets.find((one) => {
    const window = presetWindow(one, today)
    return window.from === from && window.to === to
  })
  if (preset) return preset.label
  if (!from) return `until ${to}`
  if (!to) return `from ${from}`
  return from === to ? from : `${from} to ${to}`
}
