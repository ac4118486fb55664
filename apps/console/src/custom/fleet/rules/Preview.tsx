import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useDeferredValue } from 'react'
import { call } from '../../../data/calls.ts'
import { t } from '../../../session/labels.ts'
import { formatCompanyDateTime } from '../../../view/formats.ts'
import { LoadingState } from '../../../view/states/index.tsx'
import { errorText } from '../error-text.ts'

interface PreviewProps {
  /** The rule as the call takes it; undefined while something of it is missing. */
  body: object | undefined
  /** It is looked at by a time of day, which leaves nothing to count beforehand. */
  isScheduled: boolean
  /** What to do first, where there is no rule to count. */
  missing: string
}

/** How often a rule would have rung in the last seven days, with the newest times. */
export function Preview({ body, isScheduled, missing }: PreviewProps) {
  const text = useDeferredValue(body && JSON.stringify(body))
  const { data, error } = useQuery({
    queryKey: ['check', 'rule-preview', text],
    enabled: text !== undefined && !isScheduled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('geo.eventIos.preview', { body: JSON.parse(text ?? '') as Record<string, unknown> }, { signal })).data,
  })
  return (
    <section aria-label={t('Preview')}>
      <h2>{t('The last seven days')}</h2>
      {isScheduled ? (
        <p>{t('A rule by time of day leaves nothing to count beforehand.')}</p>
      ) : text === undefined ? (
        <p>{missing}</p>
      ) : error ? (
        <Alert type="warning" showIcon title={errorText(error)} />
      ) : data ? (
        <>
          <p role="status">
            <strong>{t('Would have rung {{count}} times', { count: data.rings })}</strong>{' '}
            {data.rings === 0 ? '' : t('for {{count}} devices', { count: data.devices })}
            {data.isCut ? ` (${t('of the newest {{count}} events', { count: data.events })})` : ''}
          </p>
          <ol className="fleet-rows">
            {data.examples.map((one) => (
              <li key={one.id}>
                <span>
                  {one.device}
                  {one.geofence ? ` · ${one.geofence}` : ''}
                </span>
                <time dateTime={one.eventTime}>{formatCompanyDateTime(one.eventTime)}</time>
              </li>
            ))}
          </ol>
        </>
      ) : (
        <LoadingState />
      )}
    </section>
  )
}
