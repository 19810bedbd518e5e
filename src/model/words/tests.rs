//! Words travel as themselves, and statuses only forward.

use super::*;

#[test]
fn words_travel_as_themselves() {
    for status in CallStatus::ALL {
        let json = serde_json::to_string(status).unwrap();
        assert_eq!(json, format!("{:?}", status.as_str()));
        assert_eq!(serde_json::from_str::<CallStatus>(&json).unwrap(), *status);
    }
    assert!(serde_json::from_str::<Stage>("\"daydreaming\"").is_err());
}

#[test]
fn nothing_follows_an_ending_and_everything_can_end() {
    for from in CallStatus::ALL.iter().copied() {
        for to in CallStatus::ALL.iter().copied() {
            if from.is_ended() {
                assert!(!from.may_become(to), "{from:?} became {to:?}");
            } else if to.is_ended() {
                assert!(from.may_become(to), "{from:?} could not become {to:?}");
            }
        }
    }
}

#[test]
fn the_way_of_section_3_is_open() {
    use CallStatus as S;
    for way in [
        &[S::Queued, S::AwaitingApproval, S::Starting, S::InProgress, S::Completed][..],
        &[S::Queued, S::AwaitingInput, S::Starting, S::InProgress, S::Retrying, S::Starting, S::InProgress, S::Failed],
        &[S::Queued, S::AwaitingApproval, S::Denied],
        &[S::Starting, S::InProgress, S::AwaitingInput, S::InProgress, S::Cancelled],
    ] {
        for step in way.windows(2) {
            assert!(step[0].may_become(step[1]), "{:?} to {:?}", step[0], step[1]);
        }
    }
    assert!(!S::InProgress.may_become(S::Queued));
    assert!(!S::InProgress.may_become(S::Starting), "only a further attempt starts again");
    assert!(!S::Starting.may_become(S::AwaitingApproval));
}
