/** The table of tokens with a form of their own: each has a fixed beginning that no other text has by chance. */

export interface ProviderRule {
  readonly kind: string;
  /** Fixed text to look for; the pattern begins there. */
  readonly triggers: readonly string[];
  /** Sticky, and bounded to `LONGEST_TOKEN`. */
  readonly pattern: RegExp;
  /** Length of the beginning that stays readable. */
  readonly keep?: (match: string) => number;
  readonly accept?: (token: string) => boolean;
  /** True where the beginning is too short to count within random base64. */
  readonly weak?: boolean;
}

/** No token below is longer, so that a window of this size beyond a token's beginning always holds it. */
export const LONGEST_TOKEN = 24 * 1024;

/** Not a name that happens to begin like a token: it has digits, or letters of both cases. */
const isMixed = (token: string): boolean => /[0-9]/.test(token) || (/[a-z]/.test(token) && /[A-Z]/.test(token));

function rule(kind: string, triggers: string, pattern: RegExp): ProviderRule {
  return { kind, triggers: triggers.split(' '), pattern };
}

function checked(kind: string, triggers: string, pattern: RegExp): ProviderRule {
  return { ...rule(kind, triggers, pattern), accept: isMixed };
}

/** A URL whose path is the secret: what stands before the last group stays. */
function webhook(kind: string, trigger: string, pattern: RegExp): ProviderRule {
  const keep = (match: string): number => match.length - (new RegExp(pattern.source).exec(match)?.[1]?.length ?? 0);
  return { ...rule(kind, trigger, pattern), keep };
}

/** `sk-` begins identifiers too (`sk-loading-indicator`): a key has a digit and a long piece without a dash. */
function isSecretKey(token: string): boolean {
  return /[0-9]/.test(token) && /[A-Za-z0-9_]{16}/.test(token);
}

export const PROVIDER_RULES: readonly ProviderRule[] = [
  rule('aws-access-key', 'AKIA ASIA ABIA ACCA', /A[KSBC][IC]A[A-Z2-7]{16}(?![A-Za-z0-9+/])/y),
  rule('aws-session-token', 'FwoGZXIvYXdz IQoJb3JpZ2lu', /(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9+/]{40,4096}={0,2}/y),
  rule('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', /gh[pousr]_[A-Za-z0-9_]{20,520}/y),
  rule('github-token', 'github_pat_', /github_pat_[A-Za-z0-9_]{20,255}/y),
  checked(
    'gitlab-token',
    'glpat- gldt- glptt- glrt- glcbt- gloas- glft- glsoat- glimt- glagent- glffct-',
    /gl(?:pat|dt|ptt|rt|cbt|oas|ft|soat|imt|agent|ffct)-[A-Za-z0-9_.-]{18,300}/y,
  ),
  rule('gitlab-token', 'GR1348941', /GR1348941[A-Za-z0-9_-]{20,50}/y),
  checked(
    'slack-token',
    'xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xoxe. xapp-',
    /(?:xox[abceoprsd]|xapp|xoxe\.xox[bp])-[A-Za-z0-9%-]{12,300}/y,
  ),
  webhook(
    'slack-webhook',
    'hooks.slack.com/',
    /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9+/_-]{16,200})/y,
  ),
  rule('google-api-key', 'AIza', /AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/y),
  rule('google-oauth-token', 'GOCSPX-', /GOCSPX-[A-Za-z0-9_-]{20,64}/y),
  rule('google-oauth-token', 'ya29.', /ya29\.[A-Za-z0-9_.-]{20,2048}/y),
  rule('anthropic-key', 'sk-ant-', /sk-ant-[A-Za-z0-9_-]{16,300}/y),
  { ...rule('openai-key', 'sk-', /sk-[A-Za-z0-9_-]{18,300}/y), accept: isSecretKey, weak: true },
  rule('stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_', /[sr]k_(?:live|test)_[A-Za-z0-9]{14,250}/y),
  rule('stripe-key', 'whsec_', /whsec_[A-Za-z0-9+/]{24,128}={0,2}/y),
  checked('npm-token', 'npm_', /npm_[A-Za-z0-9]{30,64}(?![A-Za-z0-9_])/y),
  checked('pypi-token', 'pypi-', /(?<![A-Za-z0-9_-])pypi-[A-Za-z0-9_-]{32,1024}/y),
  rule('sendgrid-key', 'SG.', /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/y),
  rule('twilio-key', 'SK', /SK[0-9a-f]{32}(?![A-Za-z0-9])/y),
  rule('azure-key', 'AccountKey= SharedAccessKey= accountkey=', /(?<=[yY]=)[A-Za-z0-9+/]{30,128}={0,2}/y),
  rule('azure-key', 'Q~', /Q~[A-Za-z0-9_~.-]{31,34}/y),
  checked('huggingface-token', 'hf_', /hf_[A-Za-z0-9]{30,64}(?![A-Za-z0-9_])/y),
  rule('huggingface-token', 'api_org_', /api_org_[A-Za-z0-9]{30,64}/y),
  rule('digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', /do[opr]_v1_[0-9a-f]{64}/y),
  rule('vault-token', 'hvs. hvb. hvr.', /hv[sbr]\.[A-Za-z0-9_-]{20,300}/y),
  { ...checked('databricks-token', 'dapi', /dapi[0-9a-f]{32}(?:-[0-9])?(?![A-Za-z0-9])/y), weak: true },
  webhook(
    'discord-webhook',
    'discord.com/api/webhooks/',
    /discord\.com\/api\/webhooks\/[0-9]{1,20}\/([A-Za-z0-9_-]{40,120})/y,
  ),
  webhook(
    'discord-webhook',
    'discordapp.com/api/webhooks/',
    /discordapp\.com\/api\/webhooks\/[0-9]{1,20}\/([A-Za-z0-9_-]{40,120})/y,
  ),
  rule(
    'jwt',
    'eyJ',
    /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{4,16384}(?:\.[A-Za-z0-9_-]{0,2048})?/y,
  ),
  rule(
    'jwt',
    'eyJ',
    /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{14,2048}\.[A-Za-z0-9_-]{0,2048}\.[A-Za-z0-9_-]{8,64}\.[A-Za-z0-9_-]{8,16384}\.[A-Za-z0-9_-]{16,64}/y,
  ),
  rule('age-key', 'AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[A-Z0-9]{50,70}/y),
  rule('shopify-token', 'shpat_ shpca_ shppa_ shpss_', /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/y),
  rule('square-token', 'sq0atp- sq0csp-', /sq0(?:atp|csp)-[A-Za-z0-9_-]{20,60}/y),
  rule('grafana-token', 'glc_ glsa_', /gl(?:c_[A-Za-z0-9+/=]{32,400}|sa_[A-Za-z0-9]{32}_[0-9a-f]{8})/y),
  rule('linear-key', 'lin_api_ lin_oauth_', /lin_(?:api|oauth)_[A-Za-z0-9]{32,64}/y),
  rule('notion-token', 'ntn_', /ntn_[A-Za-z0-9]{40,64}/y),
  rule('figma-token', 'figd_', /figd_[A-Za-z0-9_-]{38,64}/y),
  rule('postman-key', 'PMAK-', /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/y),
  rule('doppler-token', 'dp.pt. dp.st.', /dp\.(?:pt|st)\.[A-Za-z0-9_.-]{32,80}/y),
  rule('planetscale-token', 'pscale_tkn_ pscale_pw_', /pscale_(?:tkn|pw)_[A-Za-z0-9_.-]{32,64}/y),
  rule('sentry-token', 'sntrys_ sntryu_', /sntry[su]_[A-Za-z0-9+/=_-]{40,400}/y),
  rule('fly-token', 'fo1_ fm1a_ fm2_', /(?:fo1|fm1a|fm2)_[A-Za-z0-9+/=_-]{32,2048}/y),
  checked('groq-key', 'gsk_', /gsk_[A-Za-z0-9]{40,64}/y),
  checked('xai-key', 'xai-', /xai-[A-Za-z0-9]{60,100}/y),
  checked('perplexity-key', 'pplx-', /pplx-[A-Za-z0-9]{40,64}/y),
  checked('replicate-token', 'r8_', /r8_[A-Za-z0-9]{30,48}(?![A-Za-z0-9_])/y),
  rule('newrelic-key', 'NRAK-', /NRAK-[A-Z0-9]{24,32}/y),
  rule('pulumi-token', 'pul-', /pul-[0-9a-f]{40}/y),
  rule('rubygems-key', 'rubygems_', /rubygems_[0-9a-f]{48}/y),
  rule('atlassian-token', 'ATATT3 ATCTT3 ATBB', /(?:AT[AC]TT3[A-Za-z0-9_=-]{60,300}|ATBB[A-Za-z0-9]{28,40})/y),
  rule('docker-token', 'dckr_pat_ dckr_oat_', /dckr_[po]at_[A-Za-z0-9_-]{20,64}/y),
  rule('supabase-token', 'sbp_ sb_secret_', /(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,64})/y),
  rule('tailscale-key', 'tskey-', /tskey-[a-z]{2,16}-[A-Za-z0-9-]{16,80}/y),
  rule('onepassword-token', 'ops_eyJ', /ops_eyJ[A-Za-z0-9_=-]{60,4096}/y),
  rule('mailgun-key', 'key-', /key-[0-9a-f]{32}(?![A-Za-z0-9])/y),
];
