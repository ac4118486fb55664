import { Alert } from 'antd'
import { t } from '../../session/labels.ts'
import type { Simulation } from './simulation.ts'

const words = (response: string) => response.replace(/^(CON|END) /, '')

/** Every hop of the session; of a replayed one with what was answered then, and the place where the ways part. */
export function Transcript({ data, isReplay }: { data: Simulation; isReplay: boolean }) {
  return (
    <section className="form-card us-hops" aria-labelledby="us-hops">
      <h2 id="us-hops">{t('Hops')}</h2>
      {isReplay && (
        <Alert
          type={data.isOther ? 'warning' : 'success'}
          showIcon
          title={data.isOther ? t('It takes another way than the session did.') : t('It takes the way that the session took.')}
        />
      )}
      <ol>
        {data.hops.map(({ seq, input, screen, response, past }) => (
          <li key={seq} data-other={(past !== null && past.screen !== screen) || undefined}>
            <p className="us-typed">
              <strong>{screen}</strong> {input === '' ? t('dialled') : t('typed {{input}}', { input })}
              {past && <small>{t('{{ms}} ms then', { ms: past.ms })}</small>}
            </p>
            <pre>{words(response)}</pre>
            {past && words(past.response) !== words(response) && (
              <>
                <small>{t('Then')}</small>
                <pre className="us-then">{words(past.response)}</pre>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
