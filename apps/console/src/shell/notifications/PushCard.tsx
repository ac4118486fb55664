import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Switch } from 'antd'
import { endPush, pushState, registerPush, type PushState } from '../../device/push.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'

const queryKey = ['pushState'] as const
const hints: Partial<Record<PushState, string>> = {
  unsupported: 'This browser cannot show notifications while it is closed.',
  denied: 'The browser forbids notifications of this site. Allow them in its settings.',
}

/** Whether this device shows notifications while the console is closed. */
export function PushCard({ isOnline }: { isOnline: boolean }) {
  const queries = useQueryClient()
  const { pushFailure } = useSession()
  const { data: state } = useQuery({ queryKey, queryFn: pushState, networkMode: 'always', staleTime: 0 })
  const change = async (isOn: boolean): Promise<void> => {
    try {
      queries.setQueryData<PushState>(queryKey, await (isOn ? registerPush() : endPush()))
    } catch (error) {
      toast.danger({ title: t('Your choice was not kept'), body: error instanceof Error ? error.message : undefined })
    }
  }
  const hint = state && hints[state]
  return (
    <section className="o-card" aria-labelledby="news-push">
      <h2 id="news-push">{t('On this device')}</h2>
      {pushFailure && (
        <Alert
          type="warning"
          showIcon
          className="o-form-error"
          title={t('This device could not be registered for notifications.')}
          description={t(pushFailure)}
        />
      )}
      <label className="o-keys-switch">
        <Switch
          checked={state === 'on'}
          disabled={!isOnline || state === undefined || hint !== undefined}
          onChange={(isOn) => void change(isOn)}
          aria-label={t('Show notifications on this device')}
        />{' '}
        {t('Show notifications on this device')}
      </label>
      <p className="o-soft">{t(hint ?? 'They show a title only; what it is about is read in the console.')}</p>
    </section>
  )
}
