import type { SettingName } from './config.ts';

interface SettingText {
  /** The value used when the setting is not given. */
  fallback: string;
  meaning: string;
}

/** The description of every setting, by topic. docs/settings.md is generated from this table. */
export const settingTopics: Record<string, Partial<Record<SettingName, SettingText>>> = {
  'Address and data': {
    PORT: { fallback: '3000', meaning: 'the port to listen on' },
    HOST: { fallback: '127.0.0.1', meaning: 'the network address to listen on' },
    BASE_URL: {
      fallback: 'http://localhost:PORT',
      meaning: 'the public origin, used in emails, canonical addresses, cookies and origin checks',
    },
    DATA_DIR: { fallback: './data', meaning: 'embedded database, stored files, outbox and generated secrets' },
    NODE_ENV: {
      fallback: 'not set',
      meaning: '`production` refuses demo settings: the payment sandbox, test keys, a missing SMTP_URL, plain http',
    },
    ALLOW_DEMO: { fallback: 'off', meaning: 'on: NODE_ENV=production accepts demo settings' },
    ROLE: {
      fallback: 'all',
      meaning: '`all`, `web` or `worker`; several of each may share one PostgreSQL and one bucket',
    },
    STOP_SECONDS: {
      fallback: '8',
      meaning:
        'seconds that a stopping process has to finish its current requests and jobs, from 5 to 600. Closing may take a quarter longer, so let systemd, Docker or Kubernetes wait at least that long before they kill it',
    },
    LOG_LEVEL: { fallback: 'info', meaning: 'a pino level: trace, debug, info, warn, error, fatal or silent' },
  },
  'Database and files': {
    DATABASE_URL: { fallback: 'embedded database in DATA_DIR', meaning: 'a PostgreSQL database: `postgres://…`' },
    DATABASE_POOL: {
      fallback: '10',
      meaning: 'connections of one process, 1 to 500; each process opens five more for jobs and notifications',
    },
    S3_BUCKET: { fallback: 'files in DATA_DIR', meaning: 'the bucket for photos and videos' },
    S3_ENDPOINT: { fallback: 'AWS', meaning: 'another server that speaks the S3 API' },
    S3_REGION: { fallback: 'us-east-1', meaning: 'the region of the bucket' },
    S3_ACCESS_KEY_ID: { fallback: 'none', meaning: 'needed with S3_BUCKET' },
    S3_SECRET_ACCESS_KEY: { fallback: 'none', meaning: 'needed with S3_BUCKET' },
    SWEEP_LIMIT: {
      fallback: 'on',
      meaning:
        'off: the file sweep may remove any number of unreferenced files; set it after the sweep has stopped and you have checked why',
    },
  },
  Email: {
    SMTP_URL: {
      fallback: '.eml files in DATA_DIR/outbox',
      meaning: 'the outgoing mail server: `smtp://…` or `smtps://…`',
    },
    MAIL_FROM: { fallback: 'the shop’s own name and address', meaning: 'the sender of every email' },
    INBOUND_MAIL: {
      fallback: 'the shop reads no emails',
      meaning:
        'the address that customers write to, such as `support@example.com`. Their emails become tickets, and answers to `support+TOKEN@example.com` join theirs, so the mail server must accept plus addresses ([inbound-mail.md](inbound-mail.md))',
    },
    IMAP_URL: {
      fallback: 'none',
      meaning:
        'the mailbox of INBOUND_MAIL, read every minute: `imaps://user:password@host/INBOX`, with @ in the user as %40',
    },
    INBOUND_WEBHOOK_SECRET: {
      fallback: 'none',
      meaning:
        'the password of BASE_URL/api/webhooks/mail, where a mail service delivers emails of INBOUND_MAIL; 16 characters or more',
    },
  },
  Payments: {
    STRIPE_SECRET_KEY: { fallback: 'built-in payment sandbox', meaning: 'Stripe’s secret key' },
    STRIPE_PUBLISHABLE_KEY: { fallback: 'none', meaning: 'needed with STRIPE_SECRET_KEY' },
    STRIPE_WEBHOOK_SECRET: { fallback: 'none', meaning: 'needed with STRIPE_SECRET_KEY; signs webhook calls' },
    STRIPE_API_BASE: { fallback: 'Stripe’s own', meaning: 'another origin that speaks Stripe’s API, for tests' },
    STRIPE_TAX: { fallback: 'off', meaning: 'on: Stripe calculates sales tax; the sandbox uses a small table' },
  },
  'Owner sign-in': {
    ADMIN_PASSWORD: { fallback: 'generated at first start', meaning: 'the owner’s password, 12 characters or more' },
    ADMIN_PASSWORD_HASH: { fallback: 'none', meaning: 'an argon2id hash in place of ADMIN_PASSWORD' },
    ADMIN_KEY: {
      fallback: 'none: key access off',
      meaning: 'the key for `x-admin-key` or `admin_key`, 32 characters or more',
    },
    ADMIN_SECOND_FACTOR: {
      fallback: 'on',
      meaning: 'off: the password alone signs in, for an owner who has lost both phone and recovery codes',
    },
    ADMIN_ALLOWED_IPS: {
      fallback: 'all',
      meaning: 'comma-separated addresses and CIDR ranges that may reach the panel',
    },
    OWNER_OIDC_ISSUER: { fallback: 'https://replit.com/oidc', meaning: 'the OpenID Connect provider of the owner' },
    OWNER_OIDC_CLIENT_ID: {
      fallback: 'OpenID sign-in off',
      meaning: 'the shop’s client; the provider returns to BASE_URL/api/admin/auth/replit/callback',
    },
    OWNER_OIDC_CLIENT_SECRET: { fallback: 'none: a public client', meaning: 'the client’s secret' },
    OWNER_OIDC_SUBJECT: { fallback: 'none', meaning: 'the owner’s subject at the provider; only this one may sign in' },
  },
  'Network and limits': {
    TRUST_PROXY: { fallback: 'none', meaning: 'CIDR ranges of proxies whose forwarding headers are trusted' },
    RATE_LIMITS: {
      fallback: 'on',
      meaning: 'off: no limits and no proofs of work, for load tests on loopback only; refused with real payments',
    },
  },
  Videos: {
    ANIMATOR: {
      fallback: 'local',
      meaning:
        '`local` renders on this machine; `replicate` uses a hosted model, and `comfyui` a ComfyUI server of your own ([videos.md](videos.md)). Both fall back to this machine when they refuse, fail or exceed the cap',
    },
    REPLICATE_API_TOKEN: { fallback: 'none', meaning: 'needed with ANIMATOR=replicate' },
    REPLICATE_MODEL: { fallback: 'none', meaning: '`owner/name` or `owner/name:version`' },
    REPLICATE_API_BASE: { fallback: 'Replicate’s own', meaning: 'another origin that speaks the same API' },
    COMFYUI_URL: {
      fallback: 'none',
      meaning: 'the ComfyUI server, needed with ANIMATOR=comfyui: `http://127.0.0.1:8188`',
    },
    COMFYUI_TOKEN: {
      fallback: 'none',
      meaning: 'sent as a bearer token, for a proxy in front of ComfyUI; needs https',
    },
    COMFYUI_WORKFLOW: {
      fallback: 'none',
      meaning: 'needed with ANIMATOR=comfyui: the path of a workflow in the API format, with its placeholders',
    },
    COMFYUI_MODEL: { fallback: 'none', meaning: 'the model in the workflow, named in each video’s description' },
    ANIMATOR_PRICE: {
      fallback: 'none',
      meaning: 'dollars for one hosted video; with ANIMATOR=comfyui, for a rented GPU',
    },
    ANIMATOR_MONTHLY_CAP: { fallback: 'none', meaning: 'dollars for all hosted videos of a month' },
    AUTO_APPROVE: {
      fallback: 'set in the panel, else off',
      meaning: 'on: finished videos need no approval by the owner',
    },
    PREVIEWS: {
      fallback: 'set in the panel, else on',
      meaning:
        'on: while customers add photos, each gets a short preview of its video, made when nothing else is due. Only with ANIMATOR=local',
    },
    TRIAL: {
      fallback: 'set in the panel, else on',
      meaning:
        'on: visitors can make one free video. It is made when no order needs a video or a preview, and deleted after 24 hours. Needs ANIMATOR=local',
    },
    PROOF: {
      fallback: 'set in the panel, else off',
      meaning:
        '`before` or `after`: customers see their videos before delivery, before or after the owner approves them',
    },
    CUSTOMER_REDOS: {
      fallback: 'set in the panel, else 3',
      meaning: 'how many videos of a frame its customer may have made again, 0 to 99',
    },
    FFMPEG_PATH: { fallback: 'found on PATH, else the bundled one', meaning: 'the encoder' },
  },
  Business: {
    FRAME_COST: {
      fallback: 'set in the panel, else not set',
      meaning: 'dollars that one frame costs the shop, for margins in the panel',
    },
    SHIPPING_COST: { fallback: 'set in the panel, else not set', meaning: 'dollars that one parcel costs the shop' },
    HANDLING_DAYS: {
      fallback: 'set in the panel, else 3',
      meaning: 'business days from finished photos to shipping, for estimates',
    },
    TRANSIT_DAYS: { fallback: 'set in the panel, else 5', meaning: 'business days in the mail, for estimates' },
    EASYPOST_API_KEY: { fallback: 'off', meaning: 'the owner buys shipping labels ([labels.md](labels.md))' },
    EASYPOST_API_BASE: { fallback: 'EasyPost’s own', meaning: 'another origin, for tests' },
    EASYPOST_WEBHOOK_SECRET: { fallback: 'off', meaning: 'signs deliveries; 16 characters or more' },
    SHIP_FROM_NAME: { fallback: 'none', meaning: 'the sender on labels' },
    SHIP_FROM_STREET: { fallback: 'none', meaning: 'street' },
    SHIP_FROM_CITY: { fallback: 'none', meaning: 'city' },
    SHIP_FROM_STATE: { fallback: 'none', meaning: 'such as ME' },
    SHIP_FROM_ZIP: { fallback: 'none', meaning: 'ZIP code' },
    SHIP_FROM_PHONE: { fallback: 'none', meaning: 'for some carriers' },
  },
  Backups: {
    BACKUP_TO: {
      fallback: 'no automatic backups',
      meaning:
        'an absolute folder or `s3://bucket/folder` for a nightly backup after 3 a.m.; with several machines use a bucket, or set it on one machine only',
    },
    BACKUP_KEEP: { fallback: '14', meaning: 'how many backups are kept, 1 to 999' },
    BACKUP_S3_ENDPOINT: { fallback: 'S3_ENDPOINT', meaning: 'for a backup bucket with its own keys' },
    BACKUP_S3_REGION: { fallback: 'S3_REGION', meaning: 'its region' },
    BACKUP_S3_ACCESS_KEY_ID: { fallback: 'S3_ACCESS_KEY_ID', meaning: 'its key' },
    BACKUP_S3_SECRET_ACCESS_KEY: { fallback: 'S3_SECRET_ACCESS_KEY', meaning: 'its secret' },
    BACKUP_PASSPHRASE: { fallback: 'none: not encrypted', meaning: 'encrypts backups; 16 characters or more' },
  },
  Traces: {
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      fallback: 'off',
      meaning: 'a collector that speaks OTLP over HTTP, such as http://127.0.0.1:4318 ([traces.md](traces.md))',
    },
    OTEL_EXPORTER_OTLP_HEADERS: { fallback: 'none', meaning: 'headers for the collector: `name=value,name=value`' },
  },
};
