//! Flags → databases → state → serve.

use std::{
    future::IntoFuture,
    io::{IsTerminal, Write},
    net::SocketAddr,
    process::ExitCode,
    time::Duration,
};

use clap::Parser;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;
use vitrine::server::{
    App,
    config::{Command, Config, Import},
    import::{self, Kind, progress::Progress},
    media::pdf,
    router::router,
};

/// How long open requests may take once the server has been told to stop.
const PATIENCE: Duration = Duration::from_secs(5);

#[tokio::main]
async fn main() -> ExitCode {
    let config = Config::parse();
    let done = match &config.command {
        None => serve(&config).await.map(|()| ExitCode::SUCCESS),
        Some(Command::Import(what)) => import(&config, what).await,
        Some(Command::ReadPdf) if pdf::read_from_stdin() => Ok(ExitCode::SUCCESS),
        Some(Command::ReadPdf) => Ok(ExitCode::FAILURE),
    };
    match done {
        Ok(code) => code,
        Err(problem) => {
            let _ = writeln!(std::io::stderr(), "vitrine: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn start_log(config: &Config) -> Result<(), String> {
    let filter = EnvFilter::try_new(&config.log).map_err(|error| format!("--log {:?}: {error}", config.log))?;
    let is_terminal = std::io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(is_terminal).init();
    Ok(())
}

async fn import(config: &Config, what: &Import) -> Result<ExitCode, String> {
    start_log(config)?;
    let (kind, paths) = match what {
        Import::Bills { paths } => (Kind::Bills, paths),
        Import::ExecutiveActions { paths } => (Kind::ExecutiveActions, paths),
    };
    let corpus = config.corpus();
    let report = import::import(kind, paths, &corpus, &mut Progress::on_stderr())
        .await
        .map_err(|error| format!("cannot import into {}: {error}", corpus.display()))?;
    let _ = writeln!(std::io::stdout(), "{report}");
    // Something was skipped: whoever runs this in a script should know.
    Ok(if report.bad.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

async fn serve(config: &Config) -> Result<(), String> {
    start_log(config)?;

    // First the address: whoever cannot have it should not take up another server's runs.
    let listener = TcpListener::bind(config.addr).await.map_err(|error| {
        format!("cannot listen on {}: {error}. Is it in use? Give another with --addr, or port 0 for any.", config.addr)
    })?;
    let app = App::open(config)
        .await
        .map_err(|error| format!("cannot open the data in {}: {error}", config.data.display()))?;
    let site = std::path::absolute(config.site())
        .map_err(|error| format!("cannot use {}: {error}", config.site().display()))?;
    let router =
        router(app.clone(), &site).map_err(|error| format!("cannot read the site in {}: {error}", site.display()))?;

    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let _ = writeln!(std::io::stdout(), "Vitrine is at http://{address}");
    let stopping = app.stopping.clone();
    tokio::spawn(async move {
        told_to_stop().await;
        stopping.cancel();
        // Whoever insists does not want to wait.
        told_to_stop().await;
        std::process::exit(1);
    });
    let served = axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>())
        .with_graceful_shutdown(app.stopping.clone().cancelled_owned());
    tokio::select! {
        served = served.into_future() => served.map_err(|error| error.to_string())?,
        // A reader that does not read would keep us for ever.
        () = async { app.stopping.cancelled().await; tokio::time::sleep(PATIENCE).await; } => {}
    }
    app.log.close().await;
    Ok(())
}

#[cfg(unix)]
async fn told_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        },
        Err(_) => {
            let _ = tokio::signal::ctrl_c().await;
        }
    }
}

#[cfg(not(unix))]
async fn told_to_stop() {
    let _ = tokio::signal::ctrl_c().await;
}
