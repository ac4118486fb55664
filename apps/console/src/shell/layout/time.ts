import dayjs from 'dayjs'
import advancedFormat from 'dayjs/plugin/advancedFormat'
import relative from 'dayjs/plugin/relativeTime'
import 'dayjs/locale/en-gb'

dayjs.extend(advancedFormat)
dayjs.extend(relative)

/** "5 minutes ago". */
export function relativeTime(iso: string): string {
  return dayjs(iso).fromNow()
}

/** The specification's notification display, yyyy MMM do HH:mm. */
export function notificationTime(iso: string): string {
  return dayjs(iso).format('YYYY MMM Do HH:mm')
}
