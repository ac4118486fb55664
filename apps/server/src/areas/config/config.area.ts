import { anySession, defineArea, may, open, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { command, create, get, list, publicCommand, query, remove, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { custom, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import type { Area } from '../../kernel/types.ts'
import type { Machine } from '../../machine.ts'
import { recordAnswer } from '../../kernel/resource/answers.ts'
import { language, languageAnswer, languageInput } from './config.handlers.ts'
import { errorInput, errorLog, getError, logError, loggedAnswer } from './error-log.ts'
import { errorEntries } from '../../kernel/quota.ts'
import { companyStorage } from '../../kernel/uploads/space.ts'
import { quietHours } from '../../kernel/realtime/quiet-hours.ts'
import { logoInput, logoLimits, saveLogo, showLogo } from './logo.ts'
import { formatSettings, lookSettings } from '../../kernel/settings/look.ts'
import { valueHistory, valueHistoryAnswer } from './value-history.ts'
import { readValues, saveInput, saveValues, valuesAnswer } from './values.ts'
import { languageLabel } from './label.resource.ts'
import { settingsCalls, settingsOf } from './settings.ts'

const settings = may('ADMIN/SETTINGS')
const reading = may('ADMIN/SETTINGS', 'CRM/REPORTS')
const own = { own: true }
const labels = '/api/config/labels'

/** The settings home, the company's own words, and what went wrong on devices. */
export const configArea = ({ env }: Pick<Machine, 'env'>, others: readonly Area[], everything: () => readonly Area[]): Area => {
  const settingsHere = [errorEntries, companyStorage(env.STORAGE_GB), ...Object.values(quietHours), ...Object.values(formatSettings), ...Object.values(lookSettings)]
  const chosen = [...others.flatMap((area) => area.settings), ...settingsHere]
  const paths = () => everything().flatMap(({ routes, screens }) => [...routes, ...screens].map(({ path }) => path))
  return defineArea({
  name: 'config',
  settings: settingsHere,
  resources: [languageLabel, errorLog],
  routes: [
    route('config.language', 'GET', '/api/config/language/:id', anySession, query(languageInput, language, languageAnswer)),
    route('config.listLabels', 'GET', labels, settings, list(languageLabel), own),
    route('config.getLabel', 'GET', `${labels}/:id`, settings, get(languageLabel), own),
    route('config.labelTimeline', 'GET', `${labels}/:id/timeline`, settings, history(languageLabel), own),
    route('config.createLabel', 'POST', labels, settings, create(languageLabel), own),
    route('config.updateLabel', 'PUT', `${labels}/:id`, settings, update(languageLabel), own),
    route('config.removeLabel', 'DELETE', `${labels}/:id`, settings, remove(languageLabel), own),
    route('config.values', 'GET', '/api/settings/:id', settings, query(idInput, readValues(chosen), valuesAnswer), { own: true, summary: 'What a tenant chose for its settings, and what it inherits' }),
    route('config.saveValues', 'PUT', '/api/settings/:id', settings, command(saveInput, saveValues(chosen), valuesAnswer), { own: true, ownTransaction: true, summary: 'Chooses values for a tenant; null inherits again' }),
    route('config.valueHistory', 'GET', '/api/settings/:id/history', settings, query(idInput, valueHistory(chosen), valueHistoryAnswer), { own: true, summary: 'Who changed the settings of a tenant' }),
    route('config.saveLogo', 'POST', '/api/settings/:id/logo', settings, command(idInput, saveLogo(chosen), valuesAnswer), { own: true, ownTransaction: true, upload: logoLimits, limit: 20, summary: 'Takes in the logo of a company or group: `file`, PNG or JPEG up to 200 kB' }),
    route('config.logo', 'GET', '/api/brand/logo/:id', open('the sign-in page and pages for people outside show it; its id is drawn'), publicCommand(logoInput, showLogo), { own: true, sends: ['image/png', 'image/jpeg'], limit: 300, summary: 'A logo of a company' }),
    route('errorLog.create', 'POST', '/api/error_log', anySession, command(errorInput, logError(paths), loggedAnswer), { limit: 60 }),
    route('errorLog.report', 'GET', '/api/error_log/error-log-report', reading, list(errorLog, { dateType: 'at' })),
    route('errorLog.get', 'GET', '/api/error_log/:id', anySession, query(idInput, getError, recordAnswer(errorLog))),
  ],
  screens: [
    screen('/admin/settings', settings, custom('settings', 'Settings', (ctx, calls) => settingsOf(ctx, { hasTracking: env.GEO_URL !== undefined, calls, chosen }), settingsCalls), { shape: 'form', menu: { under: 'administration', label: 'Settings', icon: 'setting', order: 9 } }),
    screen('/admin/error-log', settings, listOf(errorLog, { source: 'errorLog.report', overrides: { title: 'Errors of devices' } }), { menu: { under: 'administration', label: 'Errors of devices', icon: 'warning', order: 90 } }),
    screen('/admin/settings/labels', settings, listOf(languageLabel, { overrides: { title: 'Words of the console' } })),
    screen('/admin/settings/labels/add', settings, formOf(languageLabel)),
    screen('/admin/settings/labels/edit/:id', settings, formOf(languageLabel)),
  ],
})
}
