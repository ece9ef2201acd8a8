import { code, type Recipes } from './recipe.js';

/** nginx 1.22. */
export const nginx: Recipes = {
  language: 'nginx',
  byFinding: {
    'framework-error-page': {
      text: 'Put this into the server block. Errors of the provider behind it pass unchanged.',
      code: code`
error_page 400 401 403 404 405 408 411 413 414 415 429 500 501 502 503 504 @failure;
location @failure {
  default_type application/json;
  return 200 '{"error":$status,"message":"the gateway failed or rejected the request"}'; # The status stays.
}`,
    },
    'gateway-fails-on-a-valid-plant': {
      text: 'If this is a limit of the rate, put this beside limit_req and limit_conn. Their default is 503.',
      code: 'limit_req_status 429;\nlimit_conn_status 429;',
    },
  },
};

const HAPROXY_STATUSES = [400, 401, 403, 404, 405, 408, 410, 413, 429, 500, 501, 502, 503, 504];

/** HAProxy 2.6. */
export const haproxy: Recipes = {
  language: 'haproxy',
  byFinding: {
    'framework-error-page': {
      text: 'Put these lines into the section defaults. Before HAProxy 2.2, write an errorfile for each status instead.',
      code: HAPROXY_STATUSES.map(
        (status) =>
          `http-error status ${status} content-type application/json string '{"error":${status},"message":"the gateway failed or rejected the request"}'`,
      ).join('\n'),
    },
  },
};

const APACHE_STATUSES = [400, 401, 403, 404, 405, 408, 411, 413, 414, 429, 500, 502, 503, 504];

/** Apache 2.4, with mod_headers. */
export const apache: Recipes = {
  language: 'apache',
  byFinding: {
    'framework-error-page': {
      text: 'Put this into the virtual host. It needs mod_headers.',
      code: [
        ...APACHE_STATUSES.map(
          (status) =>
            `ErrorDocument ${status} '{"error":${status},"message":"the gateway failed or rejected the request"}'`,
        ),
        'Header always set Content-Type application/json "expr=%{REQUEST_STATUS} -ge 400"',
      ].join('\n'),
    },
  },
};

/** Caddy 2.6. */
export const caddy: Recipes = {
  language: 'caddyfile',
  byFinding: {
    'framework-error-page': {
      text: 'Put this into the site block.',
      code: code`
handle_errors {
	header Content-Type application/json
	respond \`{"error":{err.status_code},"message":"the gateway failed or rejected the request"}\` {err.status_code}
}`,
    },
  },
};
