import { Alert, Button } from 'antd'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import './factor.css'

/** The recovery codes, this one time: they are gone when the user says that they are kept. */
export function RecoveryCodes({ codes, isBusy, onKept }: { codes: readonly string[]; isBusy?: boolean; onKept: () => void }) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      toast.success({ title: t('Copied') })
    } catch {
      // Without https, and where the person said no.
      toast.warning({ title: t('This browser does not let the page copy: write the codes down') })
    }
  }
  return (
    <>
      <Alert
        type="warning"
        showIcon
        className="o-form-error"
        title={t('Keep these recovery codes')}
        description={t('Each signs you in once when you do not have your authenticator. They are not shown again.')}
      />
      <ul className="o-factor-codes" aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="o-factor-actions">
        <Button onClick={() => void copy()}>{t('Copy')}</Button>
        <Button type="primary" loading={isBusy} onClick={onKept}>
          {t('I have kept them')}
        </Button>
      </div>
    </>
  )
}
