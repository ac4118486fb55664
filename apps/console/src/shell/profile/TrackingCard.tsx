import { Alert, Button, Tag } from 'antd'
import { useState } from 'react'
import type { ConsoleLayout } from '@outpost/contract/console'
import { trackingConsentText } from '@outpost/rules/people/tracking-consent'
import { useConnection } from '../../data/connection.ts'
import { answerConsent, useConsent } from '../../device/consent.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { FormError } from '../form.tsx'
import { relativeTime } from '../layout/time.ts'

type Status = 'Given' | 'Declined' | 'Withdrawn'

/** Whether this person may be followed at work: the question, their answer, and the way back. Shown to people of the field and to whom it was asked. */
export function TrackingCard({ layout }: { layout: ConsoleLayout }) {
  const { isOnline } = useConnection()
  const { data, error } = useConsent(layout)
  const { trackingConsent: consent, companyPhone = null } = data ?? {}
  const [busy, setBusy] = useState<Status | null>(null)
  if (!layout.isFieldRole && !consent && !companyPhone && !error) return null
  const answer = async (status: Status): Promise<void> => {
    setBusy(status)
    try {
      const message = await answerConsent(layout, status, trackingConsentText.version)
      if (message) toast.success({ title: t(message) })
    } catch (cause) {
      toast.danger({ title: cause instanceof Error ? t(cause.message) : t('The answer could not be saved.') })
    } finally {
      setBusy(null)
    }
  }
  const isGiven = consent?.status === 'Given'
  return (
    <section className="o-card" aria-labelledby="profile-tracking" aria-busy={consent === undefined && !error}>
      <h2 id="profile-tracking">
        {t('Followed at work')}{' '}
        <Tag color={isGiven ? 'success' : consent?.status === 'Asked' ? 'warning' : 'default'}>{t(wordsOf(consent?.status))}</Tag>
      </h2>
      {trackingConsentText.paragraphs.map((paragraph) => (
        <p key={paragraph}>{t(paragraph)}</p>
      ))}
      {companyPhone ? (
        <Alert
          type="info"
          showIcon
          title={t('This phone belongs to your company')}
          description={t(
            'It is followed in working time, whatever you answer here, and never outside of it. Your answer holds for other phones. Why it is marked: {{reason}}',
            { reason: companyPhone.reason },
          )}
        />
      ) : null}
      <FormError error={error} />
      {consent?.answeredAt && <p className="o-soft">{t('Answered {{when}}', { when: relativeTime(consent.answeredAt) })}</p>}
      {!isOnline && <p className="o-soft">{t('It can be changed when there is a connection.')}</p>}
      {isGiven ? (
        <Button danger disabled={!isOnline} loading={busy === 'Withdrawn'} onClick={() => void answer('Withdrawn')}>
          {t('Withdraw my consent')}
        </Button>
      ) : (
        <div className="o-factor-actions">
          <Button type="primary" disabled={!isOnline} loading={busy === 'Given'} onClick={() => void answer('Given')}>
            {t('I agree to be followed at work')}
          </Button>
          {(consent === null || consent?.status === 'Asked') && (
            <Button disabled={!isOnline} loading={busy === 'Declined'} onClick={() => void answer('Declined')}>
              {t('No')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

const wordsOf = (status: string | undefined): string =>
  status === 'Given' ? 'you agreed' : status === 'Declined' ? 'you said no' : status === 'Withdrawn' ? 'withdrawn' : 'no answer yet'
