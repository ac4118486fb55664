import dayjs from 'dayjs'
import { afterEach, describe, expect, it } from 'vitest'
import {
  companyDay,
  formatCompanyDateTime,
  formatCompanyTime,
  formatCount,
  formatDate,
  formatDateTime,
  formatMoney,
  formatNumber,
} from '../view/formats.ts'
import { presets, presetWindow } from '../view/kinds/list/filter/windows.ts'
import { setFormats } from './formats.ts'

const chosen = (given: Partial<Record<'date' | 'number' | 'firstDay' | 'currency', string>>) =>
  setFormats({ date: '', number: '', firstDay: '', currency: '', ...given })
afterEach(() => setFormats(undefined))
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

describe('the formats of a company', () => {
  it('write days and moments', () => {
    expect([formatDate('2026-11-05'), formatDateTime('2026-11-05T08:30')]).toEqual(['5 Nov 2026', '5 Nov 2026 08:30'])
    for (const [date, day] of [
      ['DD/MM/YYYY', '05/11/2026'],
      ['MM/DD/YYYY', '11/05/2026'],
      ['DD.MM.YYYY', '05.11.2026'],
      ['YYYY-MM-DD', '2026-11-05'],
    ] as const) {
      chosen({ date })
      expect([formatDate('2026-11-05'), formatDateTime('2026-11-05T08:30')]).toEqual([day, `${day} 08:30`])
    }
  })

  it('tell moments of the company on its own clock, wherever the device is', () => {
    const late = '2026-11-25T21:30:00.000Z'
    for (const [zone, day, time] of [
      ['Africa/Nairobi', '26 Nov 2026', '00:30'],
      ['America/New_York', '25 Nov 2026', '16:30'],
      ['Pacific/Kiritimati', '26 Nov 2026', '11:30'],
    ] as const) {
      setFormats(undefined, zone)
      expect([formatCompanyTime(late), formatCompanyDateTime(late)]).toEqual([time, `${day} ${time}`])
    }
    setFormats({ date: 'DD/MM/YYYY', number: '', firstDay: '', currency: '' }, 'Africa/Nairobi')
    expect([companyDay(late), formatCompanyDateTime(late)]).toEqual(['2026-11-26', '26/11/2026 00:30'])
    expect([formatCompanyDateTime(null), formatCompanyTime(''), formatCompanyDateTime('soon')]).toEqual(['', '', 'soon'])
  })

  it('write numbers and amounts, whatever separates in the language', () => {
    expect([formatNumber(1234567.5), formatMoney('1250', 'ZAR')].map(plain)).toEqual(['1,234,567.5', 'R 1,250.00'])
    for (const [number, written, amount] of [
      ['1.234,56', '-1.234.567,5', 'R 1.250,00'],
      ['1 234,56', '-1 234 567,5', 'R 1 250,00'],
      ['1 234.56', '-1 234 567.5', 'R 1 250.00'],
      ["1'234.56", "-1'234'567.5", "R 1'250.00"],
    ] as const) {
      chosen({ number })
      expect([formatNumber(-1234567.5), formatMoney('1250', 'ZAR')].map(plain)).toEqual([written, amount])
      expect(plain(formatCount(20_000, true))).toBe(`10${number.charAt(1)}000+`)
    }
  })

  it('write the code of a currency in place of its sign', () => {
    chosen({ currency: 'code', number: '1.234,56' })
    expect(plain(formatMoney('1250', 'ZAR'))).toBe('ZAR 1.250,00')
  })

  it('begin a week on the day chosen', () => {
    const week = presets.find(({ key }) => key === 'week')
    if (!week) throw new Error('no week')
    const windowOn = (day: string) => Object.values(presetWindow(week, dayjs(day)))
    // 22 November 2026 is a Sunday.
    expect([windowOn('2026-11-22'), windowOn('2026-11-23')]).toEqual([
      ['2026-11-16', '2026-11-22'],
      ['2026-11-23', '2026-11-29'],
    ])
    chosen({ firstDay: 'sunday' })
    expect([windowOn('2026-11-21'), windowOn('2026-11-22')]).toEqual([
      ['2026-11-15', '2026-11-21'],
      ['2026-11-22', '2026-11-28'],
    ])
    chosen({ firstDay: 'saturday' })
    expect(windowOn('2026-11-22')).toEqual(['2026-11-21', '2026-11-27'])
  })

  it('are as nobody had chosen where they are unknown or missing', () => {
    chosen({ date: '[boo]', number: 'constructor', firstDay: 'friday', currency: 'name' })
    expect([formatDate('2026-11-05'), formatNumber(1234.5), formatMoney(1, 'ZAR')].map(plain)).toEqual(['5 Nov 2026', '1,234.5', 'R 1.00'])
  })
})
